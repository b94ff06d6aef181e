public import ForceTouchEngine
public import ForceTouchModel
public import ForceTouchProtocol
import ForceTouchRecognition

/// What a person at the keyboard wants.
public enum MonitorKey: Equatable, Sendable {
  case character(Character)
  case up, down, enter, escape
}

/// The live monitor without its terminal and its socket: what was seen, what is shown of it, and what
/// keys do. Time is data, on the clock that frames arrive by.
public struct MonitorState: Sendable {
  /// What covers the screen.
  public enum Panel: Equatable, Sendable {
    case help
    /// The list of devices, and which line is chosen.
    case devices(Int)
  }

  /// What a key asks for that only the program can do.
  public enum Request: Equatable, Sendable {
    case quit
    case save
  }

  /// In the order they came.
  public private(set) var devices: [WatchedDevice] = []
  /// The last that were removed.
  public private(set) var goneDevices: [WatchedDevice] = []
  /// The device that a person chose.
  private var selectedID: String?
  public private(set) var panel: Panel?
  /// What the last key brought about; stays until the next.
  public private(set) var notice: String?
  /// Changes and frames that the daemon left out, because this program did not read them in time.
  public private(set) var coalescedCount = 0
  /// What was there when it was paused, and when that was.
  private var paused: (devices: [WatchedDevice], time: Timestamp, coalesced: Int)?
  /// What is said while there is no device: why each that there is counts for none, line by line.
  public var whyNone: [String] = []
  /// What trials go by besides the sensitivity.
  private let judge: Judge

  static let goneLimit = 8

  public init(judge: Judge) { self.judge = judge }

  public var isPaused: Bool { paused != nil }

  /// What is shown: what there is, or was.
  public var shownDevices: [WatchedDevice] { paused?.devices ?? devices }

  /// How much of it was left out.
  var shownCoalescedCount: Int { paused?.coalesced ?? coalescedCount }

  /// The time that is shown.
  func shownTime(_ now: Timestamp) -> Timestamp { paused?.time ?? now }

  /// The device on the screen: the chosen one; else the first that feels force, or the first.
  public var selected: WatchedDevice? {
    let devices = shownDevices
    return devices.first { $0.id == selectedID }
      ?? devices.first { $0.device.isRecognized } ?? devices.first
  }

  // MARK: What comes

  /// Takes a reply of `Watch`. Its devices are still to be described.
  public mutating func take(_ reply: MonitorMessage.WatchReply, at now: Timestamp) {
    if let event = reply.event { take(event, at: now) }
    if let frame = reply.frame {
      change(frame.device) { $0.take(frame.frame, at: now) }
    }
    if let snapshot = reply.snapshot {
      for seen in devices where !snapshot.devices.contains(where: { $0.device == seen.id }) {
        remove(seen.id)
      }
      for device in snapshot.devices {
        add(device)
        change(device.device) { seen in
          seen.take(snapshot: snapshot.events.filter { $0.device == device.device }, at: now)
        }
      }
    }
    if let device = reply.added { add(device) }
    if let device = reply.changed {
      change(device.device) { [judge] in $0.take(device, judge: judge) }
    }
    if let id = reply.removed { remove(id) }
    if let count = reply.coalesced, count > 0 {
      coalescedCount = min(coalescedCount, .max - count) + count
      for index in devices.indices { devices[index].miss(at: now) }
    }
  }

  public mutating func take(_ description: DeviceDescription, of id: String) {
    change(id) { $0.take(description) }
  }

  /// Nothing was heard for a while: a snapshot comes next.
  public mutating func resume(at now: Timestamp) {
    for index in devices.indices {
      devices[index].miss(at: now)
      devices[index].forgetContacts(at: now)
    }
  }

  private mutating func add(_ device: DeviceMessage) {
    if let known = devices.first(where: { $0.id == device.device }) {
      guard !known.device.isSameDevice(as: device) else {
        return change(device.device) { [judge] in $0.take(device, judge: judge) }
      }
      // Another daemon gives the same names anew.
      remove(device.device)
      if selectedID == device.device { selectedID = nil }
    }
    devices.append(WatchedDevice(device))
  }

  private mutating func remove(_ id: String) {
    goneDevices += devices.filter { $0.id == id }
    goneDevices = goneDevices.suffix(Self.goneLimit)
    devices.removeAll { $0.id == id }
  }

  private mutating func take(_ event: EventMessage, at now: Timestamp) {
    change(event.device) { $0.take(event, at: now) }
  }

  private mutating func change(_ id: String, _ body: (inout WatchedDevice) -> Void) {
    guard let index = devices.firstIndex(where: { $0.id == id }) else { return }
    body(&devices[index])
  }

  /// Time has passed without anything to take.
  public mutating func pass(_ now: Timestamp) {
    for index in devices.indices { devices[index].pass(now) }
  }

  /// When ``pass(_:)`` is due; nil: it is not.
  public var deadline: Timestamp? {
    devices.compactMap { $0.trial?.deadline }.min()
  }

  /// When the screen is another by time alone; nil: it stays.
  public func nextChange(after now: Timestamp, columns: Int) -> Timestamp? {
    var times = [deadline].compactMap(\.self)
    if !isPaused, let selected,
      selected.log.history.isMoving(columns, at: now) || selected.pace.rate(at: now) > 0
    {
      let interval = ForceHistory.interval.microseconds
      times.append(Timestamp(microseconds: (now.microseconds / interval + 1) * interval))
    }
    return times.min()
  }

  /// Says something until the next key.
  public mutating func say(_ text: String) { notice = text }

  // MARK: Keys

  /// Whether a key wants the description of the device, which was not told yet.
  public func needsDescription(_ key: MonitorKey) -> Bool {
    guard let selected, selected.description == nil, panel == nil else { return false }
    return [.character("s"), .character("S"), .character("w"), .character("W")].contains(key)
  }

  public mutating func press(_ key: MonitorKey, at now: Timestamp) -> Request? {
    notice = nil
    if case .devices(let line) = panel, choose(key, line) { return nil }
    switch key {
    case .character("q"), .character("Q"): return .quit
    case .character("w"), .character("W"): return .save
    case .character("p"), .character("P"), .character(" "):
      paused = isPaused ? nil : (devices, now, coalescedCount)
    case .character("s"), .character("S"): tryNext()
    case .character("d"), .character("D"):
      let shown = selected?.id
      panel = .devices(shownDevices.firstIndex { $0.id == shown } ?? 0)
    case .character("?"), .character("h"), .character("H"):
      panel = panel == .help ? nil : .help
    case .escape, .enter: panel = nil
    case .character, .up, .down: break
    }
    return nil
  }

  /// - Returns: Whether the key was the list's.
  private mutating func choose(_ key: MonitorKey, _ line: Int) -> Bool {
    let last = max(0, shownDevices.count - 1)
    switch key {
    case .up, .character("k"): panel = .devices(max(0, line - 1))
    case .down, .character("j"): panel = .devices(min(last, line + 1))
    case .enter:
      if line <= last, !shownDevices.isEmpty {
        selectedID = shownDevices[line].id
      }
      panel = nil
    case .character("d"), .character("D"), .escape: panel = nil
    case .character: return false
    }
    return true
  }

  /// The daemon's own sensitivity, then light, medium, firm.
  private mutating func tryNext() {
    guard let selected else { return }
    let id = selected.id
    guard selected.device.isRecognized else {
      return say("No sensitivity to try: this device does not feel force")
    }
    guard !isPaused else { return say("Paused: p goes on, then s tries a sensitivity") }
    let all: [Sensitivity?] = [nil] + Sensitivity.allCases
    let index = all.firstIndex(of: selected.trial?.sensitivity) ?? 0
    let next = all[(index + 1) % all.count]
    var isTried = false
    change(id) { [judge] in isTried = $0.beginTrial(next, judge: judge) }
    if !isTried { say("This cannot be tried: the daemon does not describe the device") }
  }
}
