import ForceTouchModel

/// A generator of numbers that gives the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// Fingers that come, move, press, change their slots and tools, and go, at random; sometimes
/// events are lost or the clock jumps.
struct RandomContacts {
  private var generator: SeededGenerator
  private var contacts: [Contact] = []
  private var lastID: UInt32 = 0
  private var time = Timestamp(microseconds: 1_000_000)

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &generator) == 0 }

  mutating func next() -> ContactFrame {
    time = time + Interval(microseconds: Int64.random(in: 0...40_000, using: &generator))
    if chance(500) { time = time + Interval(microseconds: -5_000_000) }
    var frame = ContactFrame(
      time: time, isResynchronized: chance(60), isButtonHeld: chance(6))
    contacts.removeAll { $0.phase == .ended || $0.phase == .cancelled(.dropped) }
    for index in contacts.indices { change(index, frame) }
    while contacts.count < 5 && chance(contacts.isEmpty ? 2 : 12) { begin(frame) }
    contacts.sort {
      ($0.slot, $0.phase == .began ? 1 : 0) < ($1.slot, $1.phase == .began ? 1 : 0)
    }
    frame.contacts = contacts
    return frame
  }

  private mutating func begin(_ frame: ContactFrame) {
    let used = Set(
      contacts.filter { $0.phase == .stayed || $0.phase == .began }.map(\.slot))
    guard let slot = (Int32(0)..<8).first(where: { !used.contains($0) }) else { return }
    lastID += 1
    contacts.append(
      Contact(
        id: ContactID(rawValue: lastID), slot: slot, wasAlreadyDown: chance(10),
        position: chance(10) ? nil : Position(x: 2000, y: 1000), rawPressure: pressure()))
    _ = frame
  }

  private mutating func change(_ index: Int, _ frame: ContactFrame) {
    contacts[index].phase = .stayed
    if chance(14) {
      contacts[index].phase = frame.isResynchronized ? .cancelled(.dropped) : .ended
      return
    }
    if chance(2) { contacts[index].rawPressure = pressure() }
    if chance(3), let position = contacts[index].position {
      contacts[index].position = Position(
        x: position.x + Int32.random(in: -60...60, using: &generator),
        y: position.y + Int32.random(in: -60...60, using: &generator))
    }
    if chance(80) {
      contacts[index].tool = [.finger, .palm, .other].randomElement(using: &generator)!
    }
  }

  private mutating func pressure() -> Int32? {
    if chance(50) { return nil }
    if chance(50) { return [.min, .max, -1].randomElement(using: &generator)! }
    return Int32.random(in: 0...1100, using: &generator)
  }
}
