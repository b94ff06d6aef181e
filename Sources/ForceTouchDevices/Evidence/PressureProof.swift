/// How much must have been seen before a device is said to lie about pressure. Who is accused is
/// `unavailable` until it is plugged in again: so all of it is far more than what happens by chance
/// on a pad that measures force, however lightly it is used.
enum PressureProof {
  /// For `constant` and `binary`, in samples: less than a minute of moving fingers at the 125
  /// frames a second of most pads. A finger that rests gives none.
  static let leastSamples = 5000
  /// For the same, in contacts: the force of a finger that lands or lifts passes through what lies
  /// between, and does so 100 times twice.
  static let leastContacts = 100
  /// For the same: pressure in the lowest of so many parts of the axis may be that of touches that
  /// are light. Ordinary ones lie above: at 28 of 253 on a Magic Trackpad 2.
  static let lightPart: Int64 = 16
  /// For the same, where pressure never left that lowest part: so many clicks. A surface that is its
  /// own button takes 100 g and more to click (200 g on pads with haptics, kernel: the patch series of
  /// HID haptics), several times a light touch.
  static let leastClicks = 20

  /// For `equalsSize`: how often pressure must have moved and been where size alone said it would
  /// be, without having been elsewhere between. By chance it would be there less than once in four.
  static let leastTests = 50
  /// In which so many contacts had a part: within one press size follows force closely, from one
  /// finger and one posture to the next it does not.
  static let leastTestedContacts = 10
  /// How far pressure must move to be a test, in steps of the size that it may be off by rounding.
  static let testedMove = 4.0
}
