import ForceTouchModel
import TestSupport

/// Fingers that come, move, press, change their slots and tools, and go, at random; sometimes
/// events are lost or the clock jumps back.
struct RandomContacts {
  private var generator: SeededGenerator
  private var contacts: [Contact] = []
  private var lastID: UInt32 = 0
  private var time = Timestamp(microseconds: 1_000_000)
  private var isButtonHeld = false

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func chance(_ oneIn: Int) -> Bool { generator.chance(oneIn) }

  mutating func next() -> ContactFrame {
    time = time + Interval(microseconds: Int64.random(in: 0...40_000, using: &generator))
    if chance(12) { time = time + .milliseconds(90) }
    if chance(500) { time = time + .milliseconds(-5000) }
    if chance(isButtonHeld ? 4 : 30) { isButtonHeld.toggle() }
    var frame = ContactFrame(
      time: time, isResynchronized: chance(60), isButtonHeld: isButtonHeld)
    contacts.removeAll { $0.phase != .began && $0.phase != .stayed }
    for index in contacts.indices { change(index, frame) }
    while contacts.count < 5 && chance(contacts.isEmpty ? 2 : 25) { begin() }
    contacts.sort {
      ($0.slot, $0.phase == .began ? 1 : 0) < ($1.slot, $1.phase == .began ? 1 : 0)
    }
    frame.contacts = contacts
    return frame
  }

  private mutating func begin() {
    guard let slot = freeSlot() else { return }
    lastID += 1
    contacts.append(
      Contact(
        id: ContactID(rawValue: lastID), slot: slot, wasAlreadyDown: chance(10),
        position: chance(10) ? nil : Position(x: 2000, y: 1000), rawPressure: pressure()))
  }

  private func freeSlot() -> Int32? {
    let used = contacts.filter { $0.phase == .stayed || $0.phase == .began }.map(\.slot)
    return (Int32(0)..<8).first { !used.contains($0) }
  }

  private mutating func change(_ index: Int, _ frame: ContactFrame) {
    contacts[index].phase = .stayed
    if chance(20) {
      contacts[index].phase = frame.isResynchronized ? .cancelled(.dropped) : .ended
      return
    }
    if chance(2) { contacts[index].rawPressure = pressure() }
    if chance(3) {
      let far: Int32 = chance(3) ? 60 : 15
      let position = contacts[index].position ?? Position(x: 2000, y: 1000)
      contacts[index].position = Position(
        x: position.x + Int32.random(in: -far...far, using: &generator),
        y: position.y + Int32.random(in: -far...far, using: &generator))
    }
    if chance(100), let slot = freeSlot() { contacts[index].slot = slot }
    if chance(80) {
      contacts[index].tool =
        [.finger, .palm, .other].randomElement(using: &generator) ?? .finger
    }
  }

  private mutating func pressure() -> Int32? {
    if chance(50) { return nil }
    if chance(50) { return [.min, .max, -1].randomElement(using: &generator) }
    return Int32.random(in: 0...1100, using: &generator)
  }
}
