import CGTK

/// A page that has a `.ui` file of its own, like a XIB.
struct PlacePage: Page {
  let view: PageView

  init(of item: Item) throws(UIFileError) {
    try self.init(of: item, from: .place)
  }

  /// From another file, for tests.
  init(of item: Item, from file: UIFile) throws(UIFileError) {
    let objects = try file.load()
    gtk_label_set_text(try objects.widget("name", gtk_label_get_type()).opaque, item.title)
    gtk_label_set_text(try objects.widget("position", gtk_label_get_type()).opaque, item.subtitle)
    gtk_label_set_text(try objects.widget("text", gtk_label_get_type()).opaque, item.text)
    view = PageView(try objects.widget("page"))
  }

  /// What the initializer without a `nibName` is to a view controller that needs its XIB: an empty
  /// page, and a crash at the first outlet.
  @available(*, unavailable, message: "a place is in place.ui: use PlacePage(of:)")
  init() { fatalError() }
}
