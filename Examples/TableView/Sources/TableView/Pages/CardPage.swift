import CGTK

/// A page that is one of several objects in a shared `.ui` file, made by its identifier, like a
/// storyboard's `instantiateViewController(withIdentifier:)`.
struct CardPage: Page {
  let view: PageView

  init(of item: Item, identifier: String) throws(UIFileError) {
    let objects = try UIFile.cards.load(identifier)
    // Identifiers are unique in a file, so what is in a card begins with the card's.
    gtk_label_set_text(
      try objects.widget("\(identifier)-title", gtk_label_get_type()).opaque, item.title)
    gtk_label_set_text(
      try objects.widget("\(identifier)-text", gtk_label_get_type()).opaque, item.text)
    view = PageView(try objects.widget(identifier, gtk_box_get_type()))
  }

  /// What the plain initializer is to a view controller that lives in a storyboard: its labels
  /// would stay there. Which card it is, only an identifier can say.
  @available(
    *, unavailable, message: "a card is in cards.ui: use CardPage(of:identifier:)"
  )
  init(of item: Item) { fatalError() }
}
