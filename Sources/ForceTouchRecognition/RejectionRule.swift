/// A reason for which a press is no peek or no pop. All of them are in force unless
/// ``RecognizerConfiguration/rules`` says otherwise; the recognizer consults each at one place.
///
/// What a press must be besides is no rule that could be off: one peek and one pop for a contact,
/// and thresholds to reach. Raw values: the words of `forcetouchctl replay --without`.
///
/// `docs/recognition.md` has the reports of users and the facts that each comes from.
public enum RejectionRule: String, CaseIterable, Sendable {
  /// A press is a crossing: whoever was never below the peek threshold did not press. It covers
  /// fingers that were down when the device was opened, and pressure that is constant or is told
  /// once.
  case unarmed
  /// Two fingers scroll or zoom, and on some pads pressure freezes when the second lands. Cancels
  /// an open peek too.
  case otherContact
  /// `MT_TOOL_PALM`. Pressure alone makes no palm: libinput's limit is not ours. Cancels an open
  /// peek too.
  case palm
  /// `MT_TOOL_PEN` and tools that the kernel has no name for here.
  case notFinger
  /// Without both coordinates: drivers send contacts that nothing touches.
  case nowhere
  /// In the frame after events were lost: its values may be older than they seem.
  case dropped
  /// A touchscreen's finger that strays more than ``RecognizerConfiguration/touchscreenSlop``
  /// millimeters (2) from where it came down means something else.
  case moved
  /// A trackpad's finger that moves the pointer, until it did not leave its anchor by more than
  /// ``RecognizerConfiguration/trackpadSlop`` millimeters (1) for
  /// ``RecognizerConfiguration/restInterval`` (100 ms).
  case moving
  /// A trackpad's finger drags that strays from where it clicked, with the button held, by more than
  /// ``RecognizerConfiguration/dragSlops`` (2) slops.
  case dragged
  /// On a device whose pressure is only estimated, and may be the size of the contact, a contact is
  /// measured by its own level in the first ``RecognizerConfiguration/baselineInterval`` (100 ms),
  /// of which at least ``RecognizerConfiguration/leastHeadroom`` (a quarter of the range) must be
  /// left above.
  case baseline

  /// One sentence for people: what is no peek or pop by this rule.
  public var meaning: String {
    switch self {
    case .unarmed: "a contact that was never seen below the peek threshold"
    case .otherContact: "a contact beside another one, and afterwards until seen below again"
    case .palm: "a palm"
    case .notFinger: "a pen or another tool"
    case .nowhere: "a contact without coordinates"
    case .dropped: "what is pressed in the frame after lost events"
    case .moved: "on a touchscreen, a finger that strayed from where it came down"
    case .moving: "on a trackpad, a finger that moves, until it rests"
    case .dragged: "on a trackpad, a finger that moved with a button held"
    case .baseline: "by an estimate, a contact that is not pressed beyond its own ordinary level"
    }
  }
}

/// Which rules are in force. Unlike a `Set` it has no storage to reach for and hashes nothing: the
/// recognizer asks it in every frame.
public struct RejectionRules: Equatable, Sendable {
  private var bits: UInt16

  public static let all = RejectionRules(bits: .max)

  public func contains(_ rule: RejectionRule) -> Bool { bits & Self.bit(rule) != 0 }
  public mutating func insert(_ rule: RejectionRule) { bits |= Self.bit(rule) }
  public mutating func remove(_ rule: RejectionRule) { bits &= ~Self.bit(rule) }

  private static func bit(_ rule: RejectionRule) -> UInt16 {
    switch rule {
    case .unarmed: 1 << 0
    case .otherContact: 1 << 1
    case .palm: 1 << 2
    case .notFinger: 1 << 3
    case .nowhere: 1 << 4
    case .dropped: 1 << 5
    case .moved: 1 << 6
    case .moving: 1 << 7
    case .dragged: 1 << 8
    case .baseline: 1 << 9
    }
  }
}
