// Each of these mistakes is refused by the compiler, with a sentence that says what is right.
// test_window.py holds the compiler to it.
@testable import TableView

@MainActor func mistakes(with item: Item) {
  // Built in code, but taken for one that comes from a file (`init(coder:)`).
  // expected-error@+1 {{is unavailable: a letter is built in code: use LetterPage(of:)}}
  _ = LetterPage(of: item, from: .place)

  // With a file of its own, but taken for one that is built in code.
  // expected-error@+1 {{is unavailable: a place is in place.ui: use PlacePage(of:)}}
  _ = PlacePage()

  // One of several in a file, but without its identifier.
  // expected-error@+1 {{is unavailable: a card is in cards.ui: use CardPage(of:identifier:)}}
  _ = CardPage(of: item)
}
