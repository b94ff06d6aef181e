public import ForceTouchModel

/// What a device's pressure was seen to do while it was used, in numbers alone: no position is
/// kept, and of values only those of the contacts that are down.
///
/// It takes the same room after a year as after a minute, and a frame allocates nothing once as many
/// contacts were down as there will be. Not safe for use from several threads at once.
public struct PressureStatistics: Sendable {
  /// States of fingers whose pressure was known, each different from the finger's last in position,
  /// size or pressure: what the kernel repeats, or says of another finger, is not one.
  public private(set) var sampleCount = 0
  /// Fingers that gave a sample.
  public private(set) var contactCount = 0
  /// How often the pad's own button went down under a finger; 0 on a device whose surface is none.
  private(set) var clickCount = 0
  /// The least and the greatest raw pressure; nil before the first sample.
  public private(set) var observed: ClosedRange<Int32>?
  /// Samples outside of the range that the axis declares.
  public private(set) var outsideCount = 0
  /// Samples in which pressure and size, along its major or its minor axis, were the same number.
  private(set) var equalCount = 0
  /// Samples whose size was known.
  private(set) var sizedCount = 0
  /// Samples in which a finger's position or size was another than in its last.
  private(set) var moveCount = 0
  /// Those of them in which its pressure was the same.
  private(set) var stuckCount = 0
  /// The most of those that came one after another, of one finger.
  public private(set) var longestStuckRun = 0
  /// How often pressure jumped over 7/8 of its range from one sample of a finger to the next, as a
  /// counter does that wraps.
  public private(set) var wrapCount = 0
  /// The lie that was proven. What was proven once stays.
  public private(set) var evidence: PressureEvidence?

  private let axis: Axis
  private let surfaceClicks: Bool
  private var values = DistinctValues()
  private var major = SizeRelation()
  private var minor = SizeRelation()
  private var wasButtonHeld = false
  /// The fingers that are down.
  private var open: [Sample] = []

  /// - Parameters:
  ///   - axis: The pressure axis, as declared.
  ///   - surfaceClicks: The surface is the button: who holds it presses the surface.
  public init(axis: Axis, surfaceClicks: Bool = false) {
    self.axis = axis
    self.surfaceClicks = surfaceClicks
    open.reserveCapacity(16)
  }

  /// nil for a device without a pressure axis.
  public init?(of device: DeviceDescription) {
    guard let axis = device.pressureAxis else { return nil }
    self.init(
      axis: axis,
      surfaceClicks: device.properties.contains(InputProperty.buttonPad)
        || device.properties.contains(InputProperty.pressurePad))
  }

  /// How many different pressures there were: exact up to three, and where they span less than
  /// 1024; never more than there were.
  public var distinctCount: Int { values.count }

  /// How far pressure goes with the size along its major axis, −1…1 (Pearson's coefficient); nil
  /// while one of them is always the same.
  public var majorCorrelation: Double? { major.correlation }

  /// The same along the minor axis.
  public var minorCorrelation: Double? { minor.correlation }

  /// Which part of the samples with a size had the size's value, 0…1.
  public var equalShare: Double? { share(equalCount, of: sizedCount) }

  /// In which part of what moved pressure stayed the same, 0…1.
  public var stuckShare: Double? { share(stuckCount, of: moveCount) }

  private func share(_ part: Int, of all: Int) -> Double? {
    all > 0 ? Double(part) / Double(all) : nil
  }

  /// Takes all contacts of the device at the end of a frame.
  public mutating func add(_ frame: ContactFrame) {
    for contact in frame.contacts {
      switch contact.phase {
      case .began, .stayed:
        guard contact.tool == .finger, let sample = Sample(contact) else { continue }
        take(sample, isResynchronized: frame.isResynchronized)
      case .ended, .cancelled:
        if let index = index(of: contact.id) { open.remove(at: index) }
      }
    }
    if frame.isButtonHeld && !wasButtonHeld && surfaceClicks && !open.isEmpty { clickCount += 1 }
    wasButtonHeld = frame.isButtonHeld
    if evidence == nil { prove() }
  }

  /// The device was closed, or its contacts are unknown for another reason: none is down.
  public mutating func forgetContacts() {
    open.removeAll(keepingCapacity: true)
    wasButtonHeld = false
  }

  private func index(of contact: ContactID) -> Int? {
    open.firstIndex { $0.contact == contact }
  }

  private mutating func take(_ sample: Sample, isResynchronized: Bool) {
    if let index = index(of: sample.contact) {
      let previous = open[index]
      guard sample.isDifferent(from: previous) else { return }
      open[index] = sample
      // What happened while events were lost, nobody knows.
      if !isResynchronized { open[index].stuckRun = step(from: previous, to: sample) }
    } else {
      open.append(sample)
      contactCount += 1
    }
    count(sample)
  }

  /// Compares neighboring samples of a contact. Gives for how many the pressure is the same now.
  private mutating func step(from previous: Sample, to sample: Sample) -> Int {
    let jump = (Int64(sample.pressure) - Int64(previous.pressure)).magnitude
    let seen = observed.map { Int64($0.upperBound) - Int64($0.lowerBound) } ?? 0
    if jump >= UInt64(leastPressureRange), jump > UInt64(max(axis.range, seen)) / 8 * 7 {
      wrapCount += 1
    }
    var run = 0
    if sample.hasMoved(from: previous) {
      moveCount += 1
      if jump == 0 {
        stuckCount += 1
        run = previous.stuckRun + 1
        longestStuckRun = max(longestStuckRun, run)
      }
    }
    return run
  }

  private mutating func count(_ sample: Sample) {
    let pressure = sample.pressure
    sampleCount += 1
    values.insert(pressure)
    if let range = observed {
      if !(range ~= pressure) {
        observed = min(range.lowerBound, pressure)...max(range.upperBound, pressure)
      }
    } else {
      observed = pressure...pressure
    }
    if pressure < axis.minimum || pressure > axis.maximum { outsideCount += 1 }
    guard sample.major != nil || sample.minor != nil else { return }
    sizedCount += 1
    if pressure == sample.major || pressure == sample.minor { equalCount += 1 }
    if let size = sample.major {
      major.add(pressure: pressure, size: size, of: sample.contact)
    }
    if let size = sample.minor {
      minor.add(pressure: pressure, size: size, of: sample.contact)
    }
  }

  // MARK: What it proves

  /// Says which lie the numbers prove by now; see ``PressureProof`` for what that takes.
  private mutating func prove() {
    guard !major.isProven, !minor.isProven else {
      evidence = .equalsSize
      return
    }
    guard values.count <= 2, sampleCount >= PressureProof.leastSamples,
      contactCount >= PressureProof.leastContacts, let observed
    else { return }
    // Whoever touches as lightly as can be leaves a good pad near its minimum. So somebody must
    // have pressed: far above that, or until the surface clicked.
    let (least, greatest) = (Int64(observed.lowerBound), Int64(observed.upperBound))
    let lightest = max(axis.range / PressureProof.lightPart, 1)
    let isConstant = least == greatest
    let base = isConstant ? Int64(axis.minimum) : least
    guard greatest - base > lightest || clickCount >= PressureProof.leastClicks else { return }
    evidence = isConstant ? .constant : .binary
  }
}

/// What one finger was like.
private struct Sample: Sendable {
  var contact: ContactID
  var pressure: Int32
  var position: Position?
  var major: Int32?
  var minor: Int32?
  /// For how many samples its pressure has not changed although it moved.
  var stuckRun = 0

  /// nil while the pressure is not known.
  init?(_ contact: Contact) {
    guard let pressure = contact.rawPressure else { return nil }
    self.contact = contact.id
    self.pressure = pressure
    position = contact.position
    major = contact.touchMajor
    minor = contact.touchMinor
  }

  func hasMoved(from other: Sample) -> Bool {
    position != other.position || major != other.major || minor != other.minor
  }

  func isDifferent(from other: Sample) -> Bool {
    pressure != other.pressure || hasMoved(from: other)
  }
}
