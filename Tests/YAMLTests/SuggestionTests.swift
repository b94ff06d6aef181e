import Testing
import YAML

@Suite struct SuggestionTests {
  static let words = ["monitor", "replay", "record", "--json", "--socket", "Magic Trackpad 2"]

  @Test(arguments: [
    ("montor", "monitor"), ("mnoitor", "monitor"), ("Replay", "replay"), ("recrod", "record"),
    ("--jsno", "--json"), ("-socket", "--socket"), ("mon", "monitor"),
    ("trackpad", "Magic Trackpad 2"),
  ])
  func aNearWordIsMeant(word: String, meant: String) {
    #expect(didYouMean(word, Self.words) == "; did you mean \(meant)?")
  }

  @Test(arguments: ["", "x", "re", "dance", "monitor", "a word that is none of them"])
  func nothingIsMeantByWhatIsFarFromAll(word: String) {
    #expect(didYouMean(word, ["monitor", "", "play"]) == nil)
  }

  @Test func ofSeveralTheNearestIsMeantThenTheFirst() {
    #expect(didYouMean("peak", ["peaks", "peek", "pea"]) == "; did you mean pea?")
    #expect(didYouMean("recordd", ["recorder", "record"]) == "; did you mean record?")
  }

  @Test func aChangeOfPlacesIsOneChange() {
    #expect(didYouMean("pko", ["pok"]) != nil)
    #expect(didYouMean("pkxo", ["pok"]) == nil)
  }
}
