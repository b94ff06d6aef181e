import ForceTouchModel
import ForceTouchRecognition
import TestSupport
import Testing

/// The same press gives the same events, however often the device reports, however its clock
/// trembles, and with noise that is smaller than the gap between entering and leaving a stage.
@Suite struct RateTests {
  /// 60 Hz to 1 kHz.
  private static let rates = [60.0, 90, 125, 240, 500, 1000]

  /// How a finger presses, told as raw pressure over milliseconds: straight from point to point.
  private struct Press {
    var points: [(time: Double, raw: Double)]
    var duration: Double { points[points.count - 1].time }

    func raw(at time: Double) -> Double {
      guard let next = points.firstIndex(where: { $0.time >= time }) else { return 0 }
      guard next > 0 else { return points[0].raw }
      let (from, to) = (points[next - 1], points[next])
      guard to.time > from.time else { return to.raw }
      return from.raw + (to.raw - from.raw) * (time - from.time) / (to.time - from.time)
    }

    /// When it first reaches a raw value.
    func crossing(_ raw: Double) -> Double? {
      guard let next = points.firstIndex(where: { $0.raw >= raw }) else { return nil }
      guard next > 0 else { return 0 }
      let (from, to) = (points[next - 1], points[next])
      return from.time + (to.time - from.time) * (raw - from.raw) / (to.raw - from.raw)
    }

    /// A finger lands, rests, presses to `top`, stays a while and lets go.
    init(top: Double, _ generator: inout SeededGenerator) {
      let rest = Double.random(in: 20...300, using: &generator)
      points = [(0, rest / 2)]
      func add(_ duration: ClosedRange<Double>, _ raw: Double) {
        let last = points[points.count - 1].time
        points.append((last + Double.random(in: duration, using: &generator), raw))
      }
      add(20...60, rest)
      // Longer than an estimate learns, and then some drift.
      add(150...600, rest + Double.random(in: 0...20, using: &generator))
      add(5...500, top)
      add(60...200, top)
      add(20...200, rest)
      add(30...100, rest)
    }
  }

  private struct Outcome {
    var kinds: [ContactEvent.Kind] = []
    /// The stages that it went through.
    var stages: [UInt8] = []
    /// Milliseconds.
    var times: [Double] = []
  }

  private static func play(
    _ press: Press, rate: Double, noise: Double, clockStep: Int64 = 1, isEstimated: Bool = false,
    kind: TouchKind, _ generator: inout SeededGenerator
  ) throws -> Outcome {
    var recognizer = try GrammarTests.recognizer(
      kind, RecognizerConfiguration(), isEstimated: isEstimated)
    var contact = Contact(
      id: ContactID(rawValue: 1), slot: 0, position: Position(x: 2000, y: 1000))
    var events: [ContactEvent] = []
    var outcome = Outcome()
    var time = 0.0
    while contact.phase != .ended {
      if time >= press.duration { contact.phase = .ended }
      let tremor = noise > 0 ? Double.random(in: -noise...noise, using: &generator) : 0
      contact.rawPressure = Int32((press.raw(at: time) + tremor).rounded(.down))
      let microseconds = Int64(time * 1000) / clockStep * clockStep
      let frame = ContactFrame(time: Timestamp(microseconds: microseconds), contacts: [contact])
      recognizer.process(frame, into: &events)
      for event in events {
        if event.stage != outcome.stages.last { outcome.stages.append(event.stage) }
        guard event.kind != .changed else { continue }
        outcome.kinds.append(event.kind)
        outcome.times.append(Double(event.time.microseconds) / 1000)
      }
      events.removeAll(keepingCapacity: true)
      contact.phase = contact.phase == .began ? .stayed : contact.phase
      // The first frame comes with the touch-down, the others when the device looks.
      let phase = time == 0 ? Double.random(in: 0.1...1, using: &generator) : 1
      time += phase * 1000 / rate
    }
    return outcome
  }

  @Test(arguments: [TouchKind.trackpad, .touchscreen], [false, true])
  func everyRateGivesTheSameEvents(kind: TouchKind, isEstimated: Bool) throws {
    var generator = SeededGenerator(seed: kind == .trackpad ? 21 : 22)
    for round in 0..<24 {
      // In the middle between two thresholds, so that noise does not change what is meant.
      let top = [300.0, 650, 990][round % 3]
      let press = Press(top: top, &generator)
      for rate in Self.rates {
        // The gap between stage 1 entered (400) and left (350) is 50.
        for noise in [0.0, 20] where !(isEstimated && noise > 0) {
          let outcome = try Self.play(
            press, rate: rate, noise: noise, isEstimated: isEstimated, kind: kind, &generator)
          let base = isEstimated ? press.raw(at: 100) : 0
          let peek = base + 0.40 * (1000 - base)
          let pop = base + 0.75 * (1000 - base)
          let said: [ContactEvent.Kind] =
            if top < peek {
              [.began, .ended]
            } else if top < pop {
              [.began, .peek, .peekEnded, .ended]
            } else {
              [.began, .peek, .pop, .ended]
            }
          // Where an estimate's threshold lies close to the top, it is not what is tested here.
          if isEstimated && [peek, pop].contains(where: { abs($0 - top) < 40 }) { continue }
          #expect(outcome.kinds == said, "\(rate) Hz, noise \(noise), top \(top)")
          let stages: [UInt8] = top < peek ? [0] : top < pop ? [0, 1, 0] : [0, 1, 2, 1, 0]
          let left = outcome.stages
          // Pressure that leaves quickly may skip a stage, and the last sample may still have one.
          #expect(
            Self.isShortened(left, of: stages), "\(rate) Hz, noise \(noise): stages \(left)")
          for (kind, threshold) in [(ContactEvent.Kind.peek, peek), (.pop, pop)] {
            guard let index = outcome.kinds.firstIndex(of: kind) else { continue }
            // An estimate's level was sampled: it may lie lower by what one frame brings.
            let early = isEstimated ? 20 : noise + 1
            let first = try #require(press.crossing(threshold - early))
            let last = try #require(press.crossing(threshold + noise + 1))
            #expect(outcome.times[index] >= first - 0.1)
            #expect(outcome.times[index] <= last + 1000 / rate + 0.1)
          }
        }
      }
    }
  }

  /// A Bluetooth pad's frames bear times that are 0 or 20 ms apart.
  @Test func framesThatShareATimeGiveTheSameEvents() throws {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<60 {
      let press = Press(top: 990, &generator)
      let outcome = try Self.play(
        press, rate: 125, noise: 0, clockStep: 20_000, kind: .trackpad, &generator)
      #expect(outcome.kinds == [.began, .peek, .pop, .ended])
      let peek = try #require(press.crossing(400))
      #expect((peek - 20...peek + 8.1).contains(outcome.times[1]))
    }
  }

  /// Whether the stages are these, some left out.
  private static func isShortened(_ stages: [UInt8], of whole: [UInt8]) -> Bool {
    var rest = whole[...]
    for stage in stages {
      guard let index = rest.firstIndex(of: stage) else { return false }
      rest = rest[(index + 1)...]
    }
    return stages.max() == whole.max()
  }
}
