import CGTK

/// A page that is built in code.
struct LetterPage: Page {
  let view: PageView

  init(of item: Item) {
    let from = gtk_label_new("From \(item.title)")!
    gtk_widget_add_css_class(from, "title-3")
    gtk_label_set_xalign(from.opaque, 0)

    let text = gtk_label_new(item.text)!
    gtk_label_set_wrap(text.opaque, 1)
    gtk_label_set_max_width_chars(text.opaque, 30)
    gtk_label_set_xalign(text.opaque, 0)

    let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)!
    gtk_widget_add_css_class(box, "page")
    gtk_box_append(box.cast(), from)
    gtk_box_append(box.cast(), text)
    view = PageView(box)
  }

  /// What `init(coder:)` is to a view controller that is built in code: it would have to find in
  /// a file what is not there. To call it is an error of the compiler's, not of the user's.
  @available(*, unavailable, message: "a letter is built in code: use LetterPage(of:)")
  init(of item: Item, from file: UIFile) { fatalError() }
}
