public import ForceTouchModel

/// What the probe says of a device.
public struct CapabilityVerdict: Equatable, Sendable {
  public var capability: ForceTouchCapability
  public var reason: CapabilityReason
  /// How raw pressure becomes force; only on a device that is `available`.
  public var profile: ForceProfile?
  /// nil for what is no touch device, or where a recording does not tell.
  public var touchKind: TouchKind?
  /// The name of the table's entry for the device, whether it decided or not.
  public var tableEntry: String?

  public init(
    _ capability: ForceTouchCapability, _ reason: CapabilityReason, profile: ForceProfile? = nil,
    touchKind: TouchKind? = nil, tableEntry: String? = nil
  ) {
    self.capability = capability
    self.reason = reason
    self.profile = profile
    self.touchKind = touchKind
    self.tableEntry = tableEntry
  }
}

/// What was proven of a device's pressure while it was used.
public enum PressureEvidence: Equatable, Sendable {
  case equalsSize
  case constant
  case binary

  /// What a device is `unavailable` for by it.
  public var reason: CapabilityReason {
    switch self {
    case .equalsSize: .equalsSize
    case .constant: .constant
    case .binary: .binary
    }
  }
}

/// What the user decided about a device.
public struct CapabilityPolicy: Equatable, Sendable {
  /// Switched off in the settings.
  public var isDisabled: Bool
  /// What the user's calibration found.
  public var calibration: ForceProfile?

  public init(isDisabled: Bool = false, calibration: ForceProfile? = nil) {
    self.isDisabled = isDisabled
    self.calibration = calibration
  }
}

/// The fewest steps of a pressure axis between which peek and pop can be told apart.
let leastPressureRange: Int64 = 32

/// Whether a device can feel force, and why: a pure function, the same for a live device and for
/// a recording of it. The rules stand in the order in which they are asked; the first that
/// matches answers. A wrong `available` is the worst answer.
public func forceTouchCapability(
  of device: DeviceDescription, table: DeviceTable, policy: CapabilityPolicy = CapabilityPolicy(),
  evidence: PressureEvidence? = nil
) -> CapabilityVerdict {
  let kind = device.touchKind
  let entry = table.entry(for: device)
  func verdict(
    _ capability: ForceTouchCapability, _ reason: CapabilityReason, _ profile: ForceProfile? = nil
  ) -> CapabilityVerdict {
    CapabilityVerdict(
      capability, reason, profile: profile, touchKind: kind, tableEntry: entry?.name)
  }
  // Axes put together from what occurred prove nothing, not even that this is no touch device.
  if device.isInferred { return verdict(.unknown, .noDescription) }
  if kind == nil { return verdict(.unavailable, .notTouch) }
  if policy.isDisabled || device.isIgnored { return verdict(.unavailable, .disabled) }
  if device.isVirtual && !device.isVirtualAllowed { return verdict(.unavailable, .virtual) }
  guard let axis = device.pressureAxis else { return verdict(.unavailable, .noPressureAxis) }
  if axis.range < leastPressureRange { return verdict(.unavailable, .degenerateAxis) }
  if let evidence { return verdict(.unavailable, evidence.reason) }
  // A profile that the axis does not reach is of another device, whatever its numbers are.
  func available(_ reason: CapabilityReason, _ profile: ForceProfile) -> CapabilityVerdict {
    profile.floor >= Double(axis.minimum) && profile.ceiling <= Double(axis.maximum)
      ? verdict(.available, reason, profile) : verdict(.unknown, .unusableProfile)
  }
  if let profile = policy.calibration { return available(.calibrated, profile) }
  switch entry?.kind {
  case .force(let profile): return available(.table, profile)
  case .contactSize: return verdict(.unavailable, .contactSize)
  case .amplitude: return verdict(.unavailable, .amplitude)
  case .resistive: return verdict(.unavailable, .resistive)
  // What nobody established does not make a device worse than if nobody had named it: its axis may
  // still have a unit.
  case .unknown, nil: break
  }
  if device.properties.contains(InputProperty.semiMultitouch) { return verdict(.unknown, .semiMT) }
  if axis.resolution > 0 {
    guard let profile = ForceProfile(unitsOf: axis, device: device) else {
      return verdict(.unknown, .unusableProfile)
    }
    return verdict(.available, .units, profile)
  }
  if device.properties.contains(InputProperty.pressurePad) {
    return verdict(.unknown, .pressurePad)
  }
  return verdict(.unknown, .undescribed)
}

/// A guess at the profile of a device that is not `available`, for a user who asks for one: its
/// pressure over its declared range. nil where not even that makes sense.
public func estimatedProfile(
  of device: DeviceDescription, _ verdict: CapabilityVerdict
) -> ForceProfile? {
  guard verdict.capability != .available, verdict.reason != .notTouch,
    verdict.reason != .disabled, let axis = device.pressureAxis, axis.range >= leastPressureRange
  else { return nil }
  return try? ForceProfile(floor: Double(axis.minimum), ceiling: Double(axis.maximum))
}

extension DeviceDescription {
  /// Made by uinput. uhid's devices lie elsewhere: real Bluetooth devices come through it.
  var isVirtual: Bool { devicePath?.hasPrefix("/devices/virtual/input/") ?? false }
}

extension ForceProfile {
  /// The profile of an axis in units per gram: nil when the axis does not reach far enough for
  /// one.
  ///
  /// 50 g for an ordinary touch and 333 g for the hardest are what an iPhone was measured to
  /// have; a pad that clicks clicks at some 200 g (kernel: the patch series of HID haptics), and
  /// is pressed harder.
  fileprivate init?(unitsOf axis: Axis, device: DeviceDescription) {
    let clicks =
      device.properties.contains(InputProperty.buttonPad)
      || device.properties.contains(InputProperty.pressurePad)
    let unitsPerGram = Double(axis.resolution)
    let ceiling = min((clicks ? 500 : 333) * unitsPerGram, Double(axis.maximum))
    guard
      let profile = try? ForceProfile(
        floor: 0, average: 50 * unitsPerGram, ceiling: ceiling,
        click: clicks ? 200 * unitsPerGram : nil)
    else { return nil }
    self = profile
  }
}
