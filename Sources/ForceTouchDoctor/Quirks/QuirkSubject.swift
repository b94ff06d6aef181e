public import ForceTouchModel
internal import Glibc

/// What quirks are matched against: a device, and the machine that it is in.
public struct QuirkSubject: Equatable, Sendable {
  public var name: String
  public var bus: Bus
  public var vendor: UInt16
  public var product: UInt16
  public var version: UInt16
  /// udev's `ID_INPUT_…` in the words of quirks: `touchpad`, `mouse`, `tablet-pad`, …
  public var types: Set<String>
  /// The machine's DMI modalias, `dmi:…`; nil where there is none.
  public var modalias: String?
  /// The first `compatible` of the device tree; nil where there is none.
  public var deviceTree: String?

  public init(
    name: String, bus: Bus, vendor: UInt16, product: UInt16, version: UInt16 = 0,
    types: Set<String> = ["touchpad"], modalias: String? = nil, deviceTree: String? = nil
  ) {
    self.name = name
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.version = version
    self.types = types
    self.modalias = modalias
    self.deviceTree = deviceTree
  }

  /// The bus in the words of quirks; nil for one that quirks do not know.
  public var busName: String? {
    switch bus {
    case .usb: "usb"
    case .bluetooth: "bluetooth"
    case .i8042: "ps2"
    case .rmi: "rmi"
    case .i2c: "i2c"
    case .spi: "spi"
    default: nil
    }
  }

  /// Whether a section is about this device: all of its conditions hold. One that is not known here
  /// does not.
  public func fulfills(_ section: QuirksFile.Section) -> Bool {
    section.conditions.allSatisfy { fulfills($0.key, $0.text) }
  }

  private func fulfills(_ key: String, _ text: String) -> Bool {
    // Newer versions take lists.
    let words = text.split(separator: ";").map(String.init)
    func isNumber(_ number: UInt16) -> Bool {
      words.contains { $0.hasPrefix("0x") && UInt16($0.dropFirst(2), radix: 16) == number }
    }
    switch key {
    case "MatchName": return Self.matches(name, text)
    case "MatchBus": return busName.map { words.contains($0) } ?? false
    case "MatchVendor": return isNumber(vendor)
    case "MatchProduct": return isNumber(product)
    case "MatchVersion": return isNumber(version)
    case "MatchUdevType": return !types.isDisjoint(with: words)
    case "MatchDMIModalias": return modalias.map { Self.matches($0, text) } ?? false
    case "MatchDeviceTree": return deviceTree.map { Self.matches($0, text) } ?? false
    default: return false
    }
  }

  /// The corresponding C function is `fnmatch`, which libinput asks as well.
  private static func matches(_ text: String, _ pattern: String) -> Bool {
    fnmatch(pattern, text, 0) == 0
  }
}
