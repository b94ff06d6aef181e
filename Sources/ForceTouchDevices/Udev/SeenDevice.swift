public import ForceTouchModel

/// An event node as udev has it, for whoever misses a device: what it is, and why it is not taken
/// for a touch device. Nothing is opened for that.
public struct SeenDevice: Equatable, Sendable {
  /// `/dev/input/eventN`.
  public let node: String
  public let name: String
  /// nil: neither trackpad nor touchscreen, or one that is switched off.
  public let kind: TouchKind?
  /// Why it does not count; nil: it does.
  public let objection: String?

  /// - Parameter details: nil: the device is gone.
  public init(_ udev: UdevDevice, _ details: UdevDetails?) {
    node = udev.node
    name = details?.name ?? ""
    guard case .touch(let kind) = udev.udevClass else {
      self.kind = nil
      objection = Self.objection(details)
      return
    }
    self.kind = udev.mayBeOpened ? kind : nil
    objection = udev.mayBeOpened ? nil : "switched off by FORCETOUCHD_IGNORE in udev's rules"
  }

  private static func objection(_ details: UdevDetails?) -> String {
    guard let details else { return "gone by now" }
    guard details.isKnown else { return "udev has not looked at it; is systemd-udevd running?" }
    let types = details.types.sorted().map { $0.split(separator: "-").joined(separator: " ") }
    return types.isEmpty
      ? "neither trackpad nor touchscreen, says udev"
      : "a " + types.joined(separator: " and ") + ", says udev"
  }

  /// Of all event nodes that there are, in the order of their numbers.
  public static func all(_ udev: Udev) -> [SeenDevice] {
    udev.devices().sorted { $0.number < $1.number }.map { SeenDevice($0, UdevDetails($0)) }
  }

  /// What is said where none of them counts, and more may be said behind it; nil: one does.
  public static func absence(_ seen: [SeenDevice]) -> String? {
    guard seen.allSatisfy({ $0.objection != nil }) else { return nil }
    return "there is no trackpad or touchscreen"
      + (seen.isEmpty ? ": udev knows no input device at all" : "")
  }

  /// Why none of them counts, in one line; nil: one does.
  public static func whyNone(_ seen: [SeenDevice]) -> String? {
    guard let absence = absence(seen) else { return nil }
    // A machine has a dozen buttons and switches; what else there is fits into a line.
    let most = 8
    let named = seen.compactMap { device in device.objection.map { (device, $0) } }
      .filter { !$1.hasPrefix("neither") }.prefix(most).map { device, objection in
        "\(device.node) \(device.name.isEmpty ? "" : "(\(device.name)) ")is \(objection)"
      }
    let rest = seen.count - named.count
    let others = rest == 0 ? [] : ["\(rest)\(named.isEmpty ? "" : " more") are neither, says udev"]
    let reasons = (named + others).joined(separator: "; ")
    return reasons.isEmpty ? absence : "\(absence) among \(seen.count) input devices: \(reasons)"
  }
}
