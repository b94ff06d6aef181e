/// The colors of a plot. Those of contacts, peek and pop are from the palette of Okabe and Ito ("Color
/// Universal Design", 2008), which people who see some colors alike can tell apart; none of them is
/// the only thing that tells two lines apart.
public struct Palette: Equatable, Sendable {
  public let background: Ink
  /// Behind what is plotted.
  let ground: Ink
  let text: Ink
  let faint: Ink
  let grid: Ink
  let threshold: Ink
  /// Of contacts in turn. Never orange or vermilion, which are those of peek and pop.
  let contacts: [Ink]
  let peek: Ink
  let peekShade: Ink
  let pop: Ink

  private static let orange: UInt32 = 0xe69f00
  private static let skyBlue: UInt32 = 0x56b4e9
  private static let green: UInt32 = 0x009e73
  private static let yellow: UInt32 = 0xf0e442
  private static let blue: UInt32 = 0x0072b2
  private static let vermilion: UInt32 = 0xd55e00
  private static let purple: UInt32 = 0xcc79a7

  public static let light = Palette(
    background: Ink(0xffffff), ground: Ink(0xf6f7f9), text: Ink(0x1c2126), faint: Ink(0x59636e),
    grid: Ink(0xdfe3e8), threshold: Ink(0x3d4650),
    contacts: [Ink(blue), Ink(purple), Ink(green), Ink(0x000000)],
    peek: Ink(orange), peekShade: Ink(orange, alpha: 0.26), pop: Ink(vermilion))

  public static let dark = Palette(
    background: Ink(0x0d1117), ground: Ink(0x161c24), text: Ink(0xe6edf3), faint: Ink(0x9aa5b1),
    grid: Ink(0x2a323c), threshold: Ink(0xc3ccd6),
    contacts: [Ink(skyBlue), Ink(purple), Ink(green), Ink(yellow)],
    peek: Ink(orange), peekShade: Ink(orange, alpha: 0.27), pop: Ink(vermilion))

  func ink(of contact: TracedContact) -> Ink {
    contacts[Int((contact.id.rawValue &- 1) % UInt32(contacts.count))]
  }

  /// Contacts that are down at once have different ones.
  func dash(of contact: TracedContact) -> [Double] {
    let dashes: [[Double]] = [[], [7, 4], [2, 4], [9, 4, 2, 4], [4, 4]]
    return dashes[contact.lane % dashes.count]
  }
}
