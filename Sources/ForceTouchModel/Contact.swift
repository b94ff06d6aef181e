/// A number that names one contact of one device: never used again on that device.
public struct ContactID: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static func < (left: ContactID, right: ContactID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What touches (`MT_TOOL_*`).
public enum ContactTool: Sendable {
  case finger
  case palm
  /// A pen, a dial or something the kernel has no name for here.
  case other
}

/// A place on the device in the units of its position axes.
public struct Position: Hashable, Sendable {
  public var x: Int32
  public var y: Int32
  public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// One contact as the tracker knows it at the end of a frame.
public struct Contact: Equatable, Sendable {
  /// What happened to the contact in this frame.
  public enum Phase: Equatable, Sendable {
    case began
    case stayed
    case ended
    /// The contact is gone, but not because the finger was seen to lift.
    case cancelled(CancelReason)

    /// It is down at the end of the frame.
    public var isOpen: Bool {
      switch self {
      case .began, .stayed: true
      case .ended, .cancelled: false
      }
    }
  }

  public var id: ContactID
  /// The kernel's slot; contacts of type-A and single-touch devices are given one too.
  public var slot: Int32
  public var phase: Phase
  /// It was down before the device was first read or while events were lost: nobody saw it begin.
  public var wasAlreadyDown: Bool
  /// nil until both coordinates were reported. Never guessed.
  public var position: Position?
  /// The pressure axis' value as reported; nil until it was reported.
  public var rawPressure: Int32?
  /// `ABS_MT_TOUCH_MAJOR`, in units of the position axes; nil until it was reported.
  public var touchMajor: Int32?
  /// `ABS_MT_TOUCH_MINOR`; nil until it was reported.
  public var touchMinor: Int32?
  public var tool: ContactTool

  public init(
    id: ContactID, slot: Int32, phase: Phase = .began, wasAlreadyDown: Bool = false,
    position: Position? = nil, rawPressure: Int32? = nil, touchMajor: Int32? = nil,
    touchMinor: Int32? = nil, tool: ContactTool = .finger
  ) {
    self.id = id
    self.slot = slot
    self.phase = phase
    self.wasAlreadyDown = wasAlreadyDown
    self.position = position
    self.rawPressure = rawPressure
    self.touchMajor = touchMajor
    self.touchMinor = touchMinor
    self.tool = tool
  }
}

/// All contacts of a device at the end of one frame: what the tracker gives the recognizer.
public struct ContactFrame: Equatable, Sendable {
  public var time: Timestamp
  /// Events were lost before this frame: its samples are marked, and nothing is recognized in it.
  public var isResynchronized: Bool
  /// A button of the device is held (`BTN_LEFT`, `BTN_RIGHT` or `BTN_MIDDLE`).
  public var isButtonHeld: Bool
  /// In slot order. A slot whose contact changed in this frame appears twice: the one that
  /// ended first, the one that began after it.
  public var contacts: [Contact]

  public init(
    time: Timestamp = .zero, isResynchronized: Bool = false, isButtonHeld: Bool = false,
    contacts: [Contact] = []
  ) {
    self.time = time
    self.isResynchronized = isResynchronized
    self.isButtonHeld = isButtonHeld
    self.contacts = contacts
  }
}
