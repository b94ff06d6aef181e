import CGTK
import Testing

@testable import TableView

/// The mistakes that the compiler cannot see: what the program expects of a `.ui` file is not there.
/// They need a display, as all of GTK does.
@Suite(.serialized) struct PageTests {
  static let person = Item.all.first { $0.kind == .person }!

  init() { gtk_init() }

  @Test func everyItemHasAPage() throws {
    for item in Item.all {
      let page = try item.makePage()
      #expect(page.view.widget.className == "GtkBox", "\(item.title)")
    }
  }

  @Test func aMisspelledIdentifierIsNamedWithThoseThatThereAre() {
    let error = #expect(throws: UIFileError.self) {
      try CardPage(of: Self.person, identifier: "persn")
    }
    #expect(
      error?.description == """
        cards.ui has no object 'persn'; it has gift, gift-text, gift-title, person, person-text, \
        person-title
        """)
  }

  @Test func aPageWhoseFileLacksAnObjectSaysWhich() {
    let file = UIFile(
      name: "empty.ui",
      content: Array("<interface><object class='GtkBox' id='page'/></interface>".utf8))
    let error = #expect(throws: UIFileError.self) { try PlacePage(of: Self.person, from: file) }
    #expect(error?.description == "empty.ui has no object 'name'; it has page")
  }

  @Test func anObjectOfAnotherClassIsNoCrash() {
    let file = UIFile(
      name: "images.ui",
      content: Array("<interface><object class='GtkImage' id='name'/></interface>".utf8))
    let error = #expect(throws: UIFileError.self) { try PlacePage(of: Self.person, from: file) }
    #expect(error?.description == "'name' in images.ui is a GtkImage, not a GtkLabel")
  }

  @Test func aFileThatIsNoneSaysWhere() {
    let file = UIFile(
      name: "typo.ui", content: Array("<interface>\n<object class='GtkBxo'/></interface>".utf8))
    let error = #expect(throws: UIFileError.self) { try PlacePage(of: Self.person, from: file) }
    #expect(error?.description.hasPrefix("typo.ui cannot be read: ") == true)
    #expect(error?.description.contains("2:") == true)
  }

  /// Two pages of one card at once: the one that is opened, and the next preview.
  @Test func eachPageIsMadeAnew() throws {
    let pages = try (0..<2).map { _ in try CardPage(of: Self.person, identifier: "person") }
    #expect(pages[0].view.widget != pages[1].view.widget)
  }
}
