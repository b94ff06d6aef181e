import ForceTouchModel
import Testing

@Suite struct PrintableTests {
  @Test func whatIsNotSeenIsASpace() {
    let scalars: [UInt32] = [
      0x61, 0, 0x1b, 0x5b, 0x7f, 0x9b, 0x202e, 0x2028, 0xe000, 0xfffe, 0x10ffff, 0xfdd0, 0xe9,
      0x1f600,
    ]
    let text = String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
    #expect(text.printable == "a  [        é😀")
  }
}
