import ForceTouchModel

/// The level at which one contact touches ordinarily, on a device whose pressure is only estimated.
///
/// There pressure is often the size of the contact, and depends on the finger and on how it lies
/// more than on how hard it presses. So each contact is its own measure: the baseline is the most
/// it had from when it was first seen until ``RecognizerConfiguration/baselineInterval`` later, and
/// does not change after that. Whatever the rate of the device, a contact that comes down hard has
/// a high baseline, and one whose pressure never changes has no more than its baseline.
struct Baseline {
  private var end: Timestamp
  /// nil until the contact had a pressure.
  private var level: Int32?

  init(from start: Timestamp, for interval: Interval) {
    end = start + interval
  }

  /// Takes a pressure; returns the level if it is another one now.
  mutating func learn(_ raw: Int32, at time: Timestamp) -> Int32? {
    guard level.map({ time <= end && raw > $0 }) ?? true else { return nil }
    level = raw
    return raw
  }

  /// The device's clock jumped by `interval`.
  mutating func shift(by interval: Interval) { end = end + interval }
}
