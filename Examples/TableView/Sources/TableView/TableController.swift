import CGTK
import ForceTouch

/// The window with the table, on the left, and the page that was opened last, on the right.
final class TableController {
  let window: UnsafeMutablePointer<GtkWindow>
  let client: ForceTouchClient
  let items = Item.all
  let table: Table
  private let page: Widget
  private let hint: Widget
  private let popover: Widget
  private let press: OpaquePointer
  private var context: PreviewingContext?
  /// The row whose preview is shown, and the page that is opened. Both are kept: GTK knows only
  /// widgets.
  private var peeked: Preview?
  private var opened: (any Page)?

  init() throws {
    let objects = try UIFile.window.load()
    window = try objects.widget("window", gtk_window_get_type()).cast()
    page = try objects.widget("page", gtk_frame_get_type())
    hint = try objects.widget("hint", gtk_label_get_type())
    table = try Table(in: objects, of: items)
    client = try ForceTouchClient()

    popover = gtk_popover_new()
    gtk_popover_set_autohide(popover.cast(), 0)
    gtk_popover_set_position(popover.cast(), GTK_POS_RIGHT)
    gtk_widget_set_parent(popover, table.view)

    press = gtk_gesture_click_new()
    connectSignals()

    client.delegate = self
    whenReadable(client.descriptor) { [client] in client.dispatch() }
    context = client.registerForPreviewing(with: self, sourceView: table)
    showHint()
  }

  private func connectSignals() {
    // Trackpads: the pointer says which row is meant, and whether one is.
    let motion = gtk_event_controller_motion_new()!
    let moved: (SignalValues) -> Void = { [unowned self] values in
      context?.pointerLocation = ViewPoint(
        x: g_value_get_double(values + 1), y: g_value_get_double(values + 2))
    }
    connect(motion, "enter", moved)
    connect(motion, "motion", moved)
    connect(motion, "leave") { [unowned self] _ in context?.pointerLocation = nil }
    gtk_widget_add_controller(table.view, motion)

    // Touchscreens: a window does not know where on the screen it is, but when it was touched.
    // Before the list hears of it, so that a press can be taken from it.
    gtk_event_controller_set_propagation_phase(press, GTK_PHASE_CAPTURE)
    connect(press, "pressed") { [unowned self] values in
      if peeked != nil { takePress() }
      guard let event = gtk_event_controller_get_current_event(press),
        gdk_event_get_event_type(event) == GDK_TOUCH_BEGIN, tellsKernelTime
      else { return }
      context?.claim(
        touchTime: gdk_event_get_time(event),
        location: ViewPoint(
          x: g_value_get_double(values + 2), y: g_value_get_double(values + 3)))
    }
    gtk_widget_add_controller(table.view, press)

    // Without force it is a table as any other.
    connect(table.list, "row-activated") { [unowned self] values in
      let row = g_value_get_object(values + 1)!.assumingMemoryBound(to: GtkListBoxRow.self)
      let index = Int(gtk_list_box_row_get_index(row))
      if items[index].opens, let page = makePage(of: index) { open(page) }
    }
  }

  /// Whether the time of a touch is the kernel's: on Wayland it is, on X11 it is the server's.
  private var tellsKernelTime: Bool {
    gtk_widget_get_display(table.view).className == "GdkWaylandDisplay"
  }

  // MARK: What is shown

  func makePage(of index: Int) -> (any Page)? {
    do {
      return try items[index].makePage()
    } catch {
      complain(error)
      return nil
    }
  }

  /// Shows a preview beside its row, and dims the rest.
  func peek(_ preview: Preview) {
    peeked = preview
    gtk_widget_add_css_class(window.cast(), "peeking")
    gtk_widget_add_css_class(preview.row.widget, "peeked")
    let rect = preview.row.rect
    var place = GdkRectangle(
      x: Int32(rect.x), y: Int32(rect.y), width: Int32(rect.width), height: Int32(rect.height))
    gtk_popover_set_pointing_to(popover.cast(), &place)
    gtk_popover_set_child(popover.cast(), preview.page.view.widget)
    gtk_popover_popup(popover.cast())
    takePress()
  }

  func endPeek() {
    guard let peeked else { return }
    gtk_widget_remove_css_class(window.cast(), "peeking")
    gtk_widget_remove_css_class(peeked.row.widget, "peeked")
    gtk_popover_popdown(popover.cast())
    gtk_popover_set_child(popover.cast(), nil)
    self.peeked = nil
  }

  func open(_ page: any Page) {
    gtk_frame_set_child(self.page.cast(), page.view.widget)
    gtk_widget_set_visible(self.page, 1)
    opened = page
  }

  /// The finger that presses for a preview also clicks, on most trackpads. Whoever claims a click
  /// takes it from everybody else: the list would open the row when the finger lifts.
  private func takePress() {
    gtk_gesture_set_state(press, GTK_EVENT_SEQUENCE_CLAIMED)
  }

  func showHint() {
    let hint =
      switch (client.connectionError, client.forceTouchCapability) {
      case (let error?, _): "Click a row to open it. There is no force: \(error)."
      case (nil, .available): "Press a row lightly to peek at it, and press on to open it."
      case (nil, .unavailable), (nil, .unknown):
        "Click a row to open it. No device here is known to feel force."
      }
    gtk_label_set_text(self.hint.opaque, hint)
  }

  func complain(_ error: any Error) {
    g_log_default_handler("TableView", G_LOG_LEVEL_WARNING, "\(error)", nil)
  }
}
