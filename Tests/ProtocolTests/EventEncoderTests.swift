import ForceTouchModel
import ForceTouchProtocol
import Foundation
import Testing

/// What is written by hand for speed decodes to the very message that Codable describes.
@Suite struct EventEncoderTests {
  /// Every optional there and not there, every kind, values at their limits.
  static let events: [ContactEvent] = {
    var events: [ContactEvent] = []
    let kinds: [ContactEvent.Kind] =
      [.began, .changed, .peek, .pop, .peekEnded, .ended]
      + CancelReason.allCases.flatMap { [.peekCancelled($0), .cancelled($0)] }
    let forces: [ForceSample?] = [
      nil, ForceSample(pressure: 0, force: 0), ForceSample(pressure: 1, force: 20.0 / 3),
      ForceSample(pressure: 0.12345678, force: 1e-5, grams: Grams(raw: 7, resolution: 3)),
      ForceSample(pressure: 0.99995, force: 19.99999, grams: Grams(raw: .max, resolution: 1)),
    ]
    for (index, kind) in kinds.enumerated() {
      for (number, force) in forces.enumerated() {
        events.append(
          ContactEvent(
            kind: kind, contact: ContactID(rawValue: [1, .max][index % 2]),
            slot: [0, 63, .min][number % 3],
            time: Timestamp(microseconds: [0, -1, .max, .min, 12_714_996][number]),
            position: number == 1 ? nil : Position(x: .min, y: .max),
            rawPressure: number == 2 ? nil : Int32(number) - 1, force: force,
            stage: UInt8(number % 3), peekProgress: Double(number) / 7, popProgress: 0.00004,
            wasAlreadyDown: index % 2 == 0, isResynchronized: index % 3 == 0,
            isEstimated: index % 5 == 0,
            failure: number == 3 ? FailureReason.allCases[index % 4] : nil))
      }
    }
    return events
  }()

  struct Envelope: Decodable {
    var parameters: MonitorMessage.WatchReply
    var continues: Bool
  }

  @Test func everyEventDecodesToItsMessage() throws {
    var buffer = JSONBuffer()
    for event in Self.events {
      for device in ["d1", "a \"quoted\" \\ name\n\u{1}é"] {
        EventEncoder.encodeReply(into: &buffer) {
          EventEncoder.encode(event, device: device, into: &$0)
        }
        #expect(buffer.bytes.last == 0)
        let reply = try JSONDecoder().decode(Envelope.self, from: Data(buffer.bytes.dropLast()))
        #expect(reply.continues)
        #expect(reply.parameters == MonitorMessage.WatchReply(event: .init(event, device: device)))
      }
    }
  }

  private struct PreviewingEnvelope: Decodable {
    var parameters: PreviewingMessage.RegisterReply
    var continues: Bool
  }

  @Test func everyPreviewEventDecodesToItsMessage() throws {
    var buffer = JSONBuffer()
    let kinds: [PreviewEvent.Kind] =
      [
        .question(timeout: .milliseconds(50), claimed: nil),
        .question(timeout: Interval(microseconds: .max), claimed: .max),
        .peekProgress(0.123456), .peekProgress(1), .peek, .popProgress(0), .popProgress(2.0 / 3),
        .pop, .peekEnded,
      ] + PreviewCancelReason.allCases.map { .peekCancelled($0) }
    let forces: [ForceSample?] = [
      nil, ForceSample(pressure: 0.99995, force: 20.0 / 3),
      ForceSample(pressure: 1e-5, force: 0, grams: Grams(raw: 7, resolution: 3)),
    ]
    for (index, kind) in kinds.enumerated() {
      for (number, force) in forces.enumerated() {
        let event = PreviewEvent(
          kind: kind, context: PreviewingContextID(rawValue: 9),
          interaction: InteractionID(rawValue: [1, .max][index % 2]),
          device: DeviceID(rawValue: 7), time: Timestamp(microseconds: [.min, 0, .max][number]),
          force: force, location: number == 0 ? nil : ViewPoint(x: -1e6 / 3, y: 0.00004),
          isEstimated: index % 3 == 0)
        let maximum = [nil, 20.0 / 3, 20][number]
        EventEncoder.encodeReply(into: &buffer) {
          EventEncoder.encode(
            event, device: "d\u{1}\"7", maximumPossibleForce: maximum, into: &$0)
        }
        let reply = try JSONDecoder().decode(
          PreviewingEnvelope.self, from: Data(buffer.bytes.dropLast()))
        #expect(reply.continues)
        #expect(
          reply.parameters
            == .init(
              event: .init(event, device: "d\u{1}\"7", maximumPossibleForce: maximum)))
      }
    }
  }

  @Test func everyFrameDecodesToItsMessage() throws {
    var buffer = JSONBuffer()
    let inputs = [
      InputEvent(time: .zero, type: 3, code: 0x3a, value: .min),
      InputEvent(time: .zero, type: .max, code: .max, value: .max),
    ]
    for frame in [
      Frame(time: Timestamp(microseconds: -5), events: inputs, isResynchronized: true),
      Frame(time: Timestamp(microseconds: 5)),
    ] {
      EventEncoder.encodeReply(into: &buffer) {
        EventEncoder.encode(frame, device: "d1", into: &$0)
      }
      let reply = try JSONDecoder().decode(Envelope.self, from: Data(buffer.bytes.dropLast()))
      #expect(reply.parameters == MonitorMessage.WatchReply(frame: .init(frame, device: "d1")))
    }
  }

  @Test func aFrameOfAnySizeIsWrittenWhole() throws {
    let values = [0, 9, 10, 99, 100, 999_999_999, 1_000_000_000, -10, .max, .min] as [Int32]
    let frame = Frame(
      time: Timestamp(microseconds: 1_000_000_000_000_000_000),
      events: (0..<500).map {
        InputEvent(time: .zero, type: 3, code: UInt16($0), value: values[$0 % values.count])
      })
    var buffer = JSONBuffer()
    EventEncoder.encodeReply(into: &buffer) {
      EventEncoder.encode(frame, device: "d1", into: &$0)
    }
    let reply = try JSONDecoder().decode(Envelope.self, from: Data(buffer.bytes.dropLast()))
    #expect(reply.parameters == MonitorMessage.WatchReply(frame: .init(frame, device: "d1")))
  }

  @Test func theRepliesOfAFrameFollowEachOther() throws {
    var buffer = JSONBuffer()
    EventEncoder.encodeReplies(Self.events, device: "d1", into: &buffer)
    var expected: [UInt8] = []
    for event in Self.events {
      var one = JSONBuffer()
      EventEncoder.encodeReply(into: &one) { EventEncoder.encode(event, device: "d1", into: &$0) }
      expected += one.bytes
    }
    #expect(buffer.bytes == expected)
    #expect(buffer.withBytes { $0.count } == expected.count)
  }

  @Test func realsAreRoundedToFourDecimals() throws {
    let event = ContactEvent(
      kind: .changed, contact: ContactID(rawValue: 1), time: .zero,
      force: ForceSample(pressure: 0.123456, force: 3))
    var buffer = JSONBuffer()
    EventEncoder.encode(event, device: "d1", into: &buffer)
    let text = String(decoding: buffer.bytes, as: UTF8.self)
    #expect(text.contains("\"pressure\":0.1235,\"force\":3,"))
  }

  @Test func whatIsNotFiniteIsNeverWritten() throws {
    for value in [Double.nan, .infinity, -.infinity, 1e300] {
      let event = ContactEvent(
        kind: .changed, contact: ContactID(rawValue: 1), time: .zero,
        force: ForceSample(pressure: value, force: value))
      var buffer = JSONBuffer()
      EventEncoder.encode(event, device: "d1", into: &buffer)
      let reply = try JSONDecoder().decode(
        MonitorMessage.WatchReply.self, from: Data(buffer.bytes))
      #expect(reply.event?.force == 0)
    }
  }
}
