import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol
import ForceTouchScreen

/// Prints devices and events as lines for people.
struct EventPrinter {
  /// Print every `changed`; else a few a second.
  let showsAll: Bool
  private(set) var devices: [String: DeviceMessage] = [:]
  private var start: [String: Int64] = [:]
  private var lastChange: [String: Int64] = [:]
  private(set) var counts: [EventMessage.Kind: Int] = [:]
  /// The greatest raw pressure.
  private(set) var hardest: Int32?
  /// The same of each contact that is down and has neither peeked nor been told to be none.
  private var hardestWithoutPeek: [String: Int32] = [:]

  /// How often a line tells how force changes, in microseconds.
  private static let changeInterval: Int64 = 100_000
  private static let barWidth = 24

  init(showsAll: Bool) { self.showsAll = showsAll }

  mutating func add(_ device: DeviceMessage, verb: String = "") {
    devices[device.device] = device
    var line =
      "\(device.device)  \(device.name.printable): \(device.capability.rawValue), "
      + "\(device.explanation)"
    if let thresholds = device.thresholds {
      line +=
        "; peek at \(decimal(thresholds.peek)), pop at \(decimal(thresholds.pop))"
        + (device.estimated ? " (a guess)" : "")
    }
    Output.write(line + verb + "\n")
  }

  mutating func remove(_ id: String) {
    let name = devices.removeValue(forKey: id).map { $0.name.printable } ?? id
    Output.write("\(id)  \(name) is gone\n")
  }

  mutating func print(_ event: EventMessage) {
    counts[event.event, default: 0] += 1
    hardest = [hardest, event.raw].compactMap(\.self).max()
    let contact = "\(event.device)/\(event.contact)"
    let first = start[event.device] ?? event.time
    start[event.device] = first
    let whyNoPeek = whyNoPeek(event, contact)
    if event.event == .changed && !showsAll && event.failure == nil {
      if let last = lastChange[contact], event.time &- last < Self.changeInterval { return }
    }
    lastChange[contact] = event.time
    if event.event == .ended || event.event == .cancelled { lastChange[contact] = nil }
    let word = event.reason.map { "\(event.event.rawValue)(\($0.rawValue))" }
    // Each device counts its own contacts.
    let isOneOfSeveral = devices.count > 1
    let label = (isOneOfSeveral ? "\(event.device) " : "") + "#\(event.contact)"
    let line =
      Self.seconds(event.time &- first) + "  " + pad(label, isOneOfSeveral ? 9 : 5)
      + pad(word ?? event.event.rawValue, 26) + bar(event)
      + (notes(event) + [whyNoPeek].compactMap(\.self)).joined(separator: ", ")
    Output.write(Self.trimmed(line) + "\n")
  }

  private func bar(_ event: EventMessage) -> String {
    let bar = event.pressure.map { ForceTouchScreen.bar($0, width: Self.barWidth) }
    let force = event.force.map { "force \(decimal($0))" }
    let raw = event.raw.map { "raw \($0)" }
    return pad(bar ?? "", Self.barWidth + 2) + pad(force ?? "", 12) + pad(raw ?? "", 9)
  }

  /// Said with the event that closes the question: who pressed beyond the hint wanted something.
  private mutating func whyNoPeek(_ event: EventMessage, _ contact: String) -> String? {
    if event.event == .began { hardestWithoutPeek[contact] = .min }
    if let raw = event.raw, let former = hardestWithoutPeek[contact] {
      hardestWithoutPeek[contact] = max(raw, former)
    }
    if let failure = event.failure {
      hardestWithoutPeek[contact] = nil
      return failure.whyNoPeek
    }
    switch event.event {
    case .began, .changed: return nil
    case .peek, .pop, .peekEnded, .peekCancelled, .cancelled:
      hardestWithoutPeek[contact] = nil
      return nil
    case .ended:
      guard let hardest = hardestWithoutPeek.removeValue(forKey: contact),
        let thresholds = devices[event.device]?.thresholds, Double(hardest) >= thresholds.hint
      else { return nil }
      return thresholds.whyNoPeek(hardest: hardest)
    }
  }

  private func notes(_ event: EventMessage) -> [String] {
    var notes: [String] = []
    if let grams = event.grams {
      let off = event.gramsUncertainty.map { " ± \(decimal($0))" } ?? ""
      notes.append("\(decimal(grams))\(off) g")
    }
    if event.alreadyDown == true { notes.append("already down") }
    if event.resynchronized == true { notes.append("after lost events") }
    if event.estimated == true { notes.append("a guess") }
    return notes
  }

  static func seconds(_ microseconds: Int64) -> String {
    let milliseconds = (microseconds.magnitude + 500) / 1000
    let fraction = String(milliseconds % 1000)
    let text =
      (microseconds < 0 ? "-" : "") + "\(milliseconds / 1000)."
      + String(repeating: "0", count: 3 - fraction.count) + fraction
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
  }

  private static func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}

/// How many contacts, peeks and pops there were.
func summary(of counts: [EventMessage.Kind: Int]) -> String {
  let words: [(EventMessage.Kind, String)] = [(.began, "contact"), (.peek, "peek"), (.pop, "pop")]
  return words.map { kind, word in counted(counts[kind] ?? 0, word) }.joined(separator: ", ")
}
