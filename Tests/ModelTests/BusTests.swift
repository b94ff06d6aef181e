import ForceTouchModel
import Testing

@Suite struct BusTests {
  @Test(arguments: [Bus.usb, .bluetooth, .spi, Bus(rawValue: 0), Bus(rawValue: 0xffff)])
  func aNameIsReadBack(bus: Bus) {
    #expect(Bus(name: bus.name) == bus)
  }

  @Test(arguments: ["", "USB", "0x", "0x10000", "0x+5", "0x-0", "5", "0x 5"])
  func whatIsNoBusHasNone(name: String) {
    #expect(Bus(name: name) == nil)
  }
}
