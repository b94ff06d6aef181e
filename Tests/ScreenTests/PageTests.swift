import Testing

@testable import ForceTouchScreen

@Suite struct PageTests {
  private func line(_ text: String, columns: Int = 8, limit: Int = .max) -> String {
    var page = Page(rows: 1, columns: columns)
    page.write(text, at: 0, 0, limit: limit)
    return page.text(ofRow: 0)
  }

  @Test func aLongTextEndsWithAnEllipsis() {
    #expect(line("forcetouch", limit: 6) == "force…  ")
    #expect(line("force", limit: 5) == "force   ")
    #expect(line("forcetouch") == "forcetou")
  }

  @Test func whatMovesTheCursorOrCombinesIsLeftOut() {
    #expect(line("a\u{1b}[2J\n\u{301}\u{202e}b\u{9b}") == "a[2Jb   ")
  }

  @Test func aWideCharacterTakesTwoColumnsAndIsNotCutInHalf() {
    #expect(line("触a", columns: 4) == "触a ")
    var page = Page(rows: 1, columns: 6)
    let end = page.write("触触触", at: 0, 0, limit: 4)
    #expect(end == 3)
    #expect(page.text(ofRow: 0) == "触…   ")
    // Nor does what comes after it take its place.
    #expect(line("触触a", limit: 4) == "触…     ")
  }

  @Test func aBeginningIsAsLongAsItsColumns() {
    #expect("force".prefix(columns: 3) == "for")
    #expect("force".prefix(columns: 9) == "force")
    #expect("触触a".prefix(columns: 3) == "触")
    #expect("触触a".prefix(columns: 5) == "触触a")
    #expect("a".prefix(columns: -1) == "")
  }

  @Test func nothingIsWrittenBeyondTheEdges() {
    var page = Page(rows: 2, columns: 3)
    page.write("abcdef", at: 0, 1)
    page.write("x", at: 5, 0)
    page.write("y", at: 1, -1)
    #expect((0..<2).map(page.text(ofRow:)) == [" ab", "   "])
  }

  @Test func runsOfOneStyleStandTogether() {
    var page = Page(rows: 1, columns: 5)
    page.write("ab", at: 0, 1, .peek)
    #expect(
      page.runs(ofRow: 0) == [
        .init(column: 0, text: " ", style: .plain), .init(column: 1, text: "ab", style: .peek),
        .init(column: 3, text: "  ", style: .plain),
      ])
  }

  @Test func everyCharacterOfTheScreenHasOneInASCII() {
    var page = Page(rows: 1, columns: 60)
    page.write("─│┌┐└┘┄┊█▉▊▋▌▍▎▏▁▂▃▄▅▆▇▀·…±×–↑触", at: 0, 0)
    #expect(page.inASCII().text(ofRow: 0).hasPrefix("-|++++-|####----___oo##o..~x-^? "))
    #expect(page.inASCII().text(ofRow: 0).isASCII)
  }

  @Test(arguments: [
    (0.0, 2, "0.00"), (1.005, 1, "1.0"), (9.996, 2, "10.00"), (-0.04, 1, "0.0"), (-1.26, 1, "-1.3"),
    (12, 0, "12"), (.nan, 1, "?"), (.infinity, 0, "?"),
  ])
  func aNumberKeepsItsDecimals(value: Double, decimals: Int, text: String) {
    #expect(fixed(value, decimals) == text)
  }

  @Test func aBarIsAsLongAsItsPart() {
    #expect(bar(0, width: 4) == "")
    #expect(bar(0.5, width: 4) == "██")
    #expect(bar(0.53, width: 4) == "██▏")
    #expect(bar(2, width: 4) == "████")
    #expect(bar(.nan, width: 4) == "")
  }
}
