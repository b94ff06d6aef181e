/// Why a contact, or its peek, was closed without the finger lifting. Raw values: the wire's words.
public enum CancelReason: String, Sendable, CaseIterable {
  /// Another contact came down on the same device.
  case otherContact
  /// Events were lost and the contact did not survive the gap.
  case dropped
  /// The device was unplugged or switched off.
  case deviceRemoved
  /// The machine slept.
  case suspended
  /// Another session became active, or the screen was locked.
  case sessionInactive
  /// Settings, or the device's profile, are others now; or its use has proven that it has none.
  case reconfigured
  /// The daemon stops.
  case stopping
  /// The recording ended with the finger down.
  case endOfRecording
  /// Nobody listens any more: the device is closed.
  case unobserved
  /// The kernel says that this is a palm (`MT_TOOL_PALM`).
  case palm
  /// A type-A device that was never seen to tell a lift has said nothing of the contact for long.
  case stale
}

/// Why a contact can no longer peek or pop. Raw values: the wire's words.
public enum FailureReason: String, Sendable, CaseIterable {
  /// On a touchscreen the finger moved more than the slop before the peek.
  case moved
  /// The finger moved with a button held.
  case dragged
  /// `MT_TOOL_PALM`.
  case palm
  /// A pen or another tool.
  case notFinger

  /// What the contact did or is, for people.
  public var explanation: String {
    switch self {
    case .moved: "it moved away from where it came down"
    case .dragged: "it moved with the button held"
    case .palm: "the kernel takes it for a palm"
    case .notFinger: "it is a pen or another tool, not a finger"
    }
  }
}

/// One thing that happened to one contact: what the recognizer says and every client hears.
///
/// For each contact, with E = `ended` | `cancelled(reason)`:
///
///     began changed* ( E | peek changed* ( pop changed* E | peekEnded ended
///                                        | peekCancelled(reason) changed* E ) )
public struct ContactEvent: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case began
    case changed
    case peek
    case pop
    case peekEnded
    case peekCancelled(CancelReason)
    case ended
    case cancelled(CancelReason)
  }

  public var kind: Kind
  public var contact: ContactID
  public var slot: Int32
  /// The frame's time, or the deadline's for what a timeout decided.
  public var time: Timestamp
  /// In device units; nil until both coordinates were reported.
  public var position: Position?
  /// The pressure axis' value as reported.
  public var rawPressure: Int32?
  /// What the raw value means by the device's profile; nil on a device without one.
  public var force: ForceSample?
  /// How hard the contact is pressed now: 0, 1 (as for a peek) or 2 (as for a pop), with a gap
  /// between entering and leaving each. It follows pressure alone and decides nothing.
  public var stage: UInt8
  /// 0 at the hint, 1 at the peek threshold.
  public var peekProgress: Double
  /// 0 at the peek threshold, 1 at the pop threshold.
  public var popProgress: Double
  /// Pressing on would peek: seen below the threshold, alone on its device, and it has not failed.
  /// Tells whether it is worth asking for a preview; never on the wire.
  public var isArmed: Bool
  /// `began` only: nobody saw it begin.
  public var wasAlreadyDown: Bool
  /// Events were lost just before this sample.
  public var isResynchronized: Bool
  /// The device is not `available`: the user asked for a guess.
  public var isEstimated: Bool
  /// In the first `changed` after the contact failed (for a listener that comes later, in its
  /// `began`): why.
  public var failure: FailureReason?

  public init(
    kind: Kind, contact: ContactID, slot: Int32 = 0, time: Timestamp, position: Position? = nil,
    rawPressure: Int32? = nil, force: ForceSample? = nil, stage: UInt8 = 0,
    peekProgress: Double = 0, popProgress: Double = 0, isArmed: Bool = false,
    wasAlreadyDown: Bool = false, isResynchronized: Bool = false, isEstimated: Bool = false,
    failure: FailureReason? = nil
  ) {
    self.kind = kind
    self.contact = contact
    self.slot = slot
    self.time = time
    self.position = position
    self.rawPressure = rawPressure
    self.force = force
    self.stage = stage
    self.peekProgress = peekProgress
    self.popProgress = popProgress
    self.isArmed = isArmed
    self.wasAlreadyDown = wasAlreadyDown
    self.isResynchronized = isResynchronized
    self.isEstimated = isEstimated
    self.failure = failure
  }
}

/// A raw pressure in the units that programs use.
public struct ForceSample: Equatable, Sendable {
  /// 0…1.
  public var pressure: Double
  /// 1.0 is an average touch; 0…`maximumPossibleForce`.
  public var force: Double
  /// Where the device reports units.
  public var grams: Grams?

  public init(pressure: Double, force: Double, grams: Grams? = nil) {
    self.pressure = pressure
    self.force = force
    self.grams = grams
  }
}
