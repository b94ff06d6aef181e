public import ForceTouchModel

/// Everything that can be set about recognition, in one value. Fractions are of the way from
/// the profile's threshold base (the click where the pad clicks, else the floor) to its ceiling.
public struct RecognizerConfiguration: Equatable, Sendable {
  /// Where a program may be asked for a preview; peek progress starts here.
  public var hint = 0.25
  /// Where a peek begins.
  public var peek = 0.40
  /// Where a pop follows.
  public var pop = 0.75
  /// Below this `stage` falls from 1 to 0. Lies under `peek`, so that `stage` does not flicker.
  public var peekLeave = 0.35
  /// Below this `stage` falls from 2.
  public var popLeave = 0.65
  /// Scales the five fractions above.
  public var sensitivity = Sensitivity.medium

  /// How far a finger on a touchscreen may stray from where it came down and still peek, in
  /// millimeters.
  public var touchscreenSlop = 2.0
  /// How far a finger on a trackpad strays from its anchor before it counts as moving, in
  /// millimeters.
  public var trackpadSlop = 1.0
  /// How far a finger on a trackpad strays from where it clicked before it drags, in trackpad slops.
  ///
  /// On a pad that clicks every press holds the button, and the fingertip rolls as it presses: one
  /// slop took away presses that were meant (`docs/recognition.md`). Two are what a touchscreen allows.
  public var dragSlops = 2.0
  /// Either slop on a device without a resolution, as a part of its longer axis.
  public var slopWithoutResolution = 1.0 / 60
  /// How long a trackpad's finger must stay within the slop to count as resting again.
  public var restInterval = Interval.milliseconds(100)

  /// On an estimated device: how long after it was first seen a contact shows its ordinary level.
  ///
  /// Of 31 long contacts in published recordings of pads whose pressure is size, nine in ten rose
  /// by at most 27 of 255 above the level of their first 100 ms; by 58 above that of 30 ms, and
  /// waiting for 200 ms gains no more than 2.
  public var baselineInterval = Interval.milliseconds(100)
  /// On an estimated device: the part of the range that must be left above a contact's baseline.
  /// With less, the thresholds would lie within what an ordinary touch varies.
  public var leastHeadroom = 0.25

  /// The rules by which a press is no peek or pop.
  public var rules = RejectionRules.all

  /// Whether a contact may peek while another is on the same device: ``RejectionRule/otherContact``
  /// is off.
  public var peeksBesideOtherContacts: Bool {
    get { !rules.contains(.otherContact) }
    set { if newValue { rules.remove(.otherContact) } else { rules.insert(.otherContact) } }
  }

  public init() {}
}

/// How hard one has to press, chosen by the user as in iOS' settings.
public enum Sensitivity: String, Sendable, CaseIterable {
  case light
  case medium
  case firm

  /// What the thresholds' fractions are multiplied by.
  public var factor: Double {
    switch self {
    case .light: 0.75
    case .medium: 1
    case .firm: 1.25
    }
  }
}

/// What the recognizer must know about the device whose contacts it sees.
public struct RecognizedDevice: Equatable, Sendable {
  public var kind: TouchKind
  /// nil: contacts are reported, nothing is recognized.
  public var profile: ForceProfile?
  /// The pressure axis' resolution, units per gram; 0 when it has none.
  public var unitsPerGram: Int32
  public var positionAxes: (x: Axis, y: Axis)?
  /// The device is not `available` and its profile is a guess: every event says so, and each contact
  /// is measured by its own level (``RejectionRule/baseline``).
  public var isEstimated: Bool

  public init(
    kind: TouchKind, profile: ForceProfile?, unitsPerGram: Int32 = 0,
    positionAxes: (x: Axis, y: Axis)? = nil, isEstimated: Bool = false
  ) {
    self.kind = kind
    self.profile = profile
    self.unitsPerGram = unitsPerGram
    self.positionAxes = positionAxes
    self.isEstimated = isEstimated
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && left.profile == right.profile
      && left.unitsPerGram == right.unitsPerGram && left.isEstimated == right.isEstimated
      && left.positionAxes?.x == right.positionAxes?.x
      && left.positionAxes?.y == right.positionAxes?.y
  }
}
