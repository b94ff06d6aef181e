import CGTK
import ForceTouch

/// A row that a finger is on.
struct Row {
  let index: Int
  /// Where it is in the table's view.
  let rect: ViewRect
  let widget: Widget
}

/// The table: a source view of ours, made of a list in a scrolled window of GTK's.
final class Table {
  /// What is seen of the list. Locations are in its units, so they stay right when the list scrolls.
  let view: Widget
  let list: Widget

  init(in objects: UIObjects, of items: [Item]) throws(UIFileError) {
    view = try objects.widget("table", gtk_scrolled_window_get_type())
    list = try objects.widget("list", gtk_list_box_get_type())
    for item in items {
      let row = try UIFile.row.load()
      gtk_image_set_from_icon_name(
        try row.widget("icon", gtk_image_get_type()).opaque, item.icon)
      gtk_label_set_text(try row.widget("title", gtk_label_get_type()).opaque, item.title)
      gtk_label_set_text(try row.widget("subtitle", gtk_label_get_type()).opaque, item.subtitle)
      gtk_list_box_append(list.opaque, try row.widget("row"))
    }
  }

  func row(at location: ViewPoint) -> Row? {
    var inView = graphene_point_t(x: Float(location.x), y: Float(location.y))
    var inList = graphene_point_t()
    var bounds = graphene_rect_t()
    guard gtk_widget_compute_point(view, list, &inView, &inList) != 0,
      let row = gtk_list_box_get_row_at_y(list.opaque, Int32(inList.y)),
      gtk_widget_compute_bounds(row.cast(), view, &bounds) != 0
    else { return nil }
    let rect = ViewRect(
      x: Double(bounds.origin.x), y: Double(bounds.origin.y), width: Double(bounds.size.width),
      height: Double(bounds.size.height))
    return Row(
      index: Int(gtk_list_box_row_get_index(row)), rect: rect, widget: row.cast())
  }
}

extension Table: @MainActor SourceView {
  var size: ViewSize? {
    ViewSize(
      width: Double(gtk_widget_get_width(view)), height: Double(gtk_widget_get_height(view)))
  }
}
