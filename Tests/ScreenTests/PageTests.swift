import Testing

@testable import ForceTouchScreen

@Suite struct PageTests {
  @Test func aLongTextEndsWithAnEllipsis() {
    var page = Page(rows: 1, columns: 8)
    page.write("forcetouch", at: 0, 0, limit: 6)
    #expect(page.text(ofRow: 0) == "force…  ")
  }
}
