import ForceTouchDevices
import ForceTouchModel
import ForceTouchRecordings
import TestSupport
import Testing

/// What recordings of real devices prove. They are short: an accusation out of them would be rash.
@Suite("The corpus proves", .enabled(if: Corpus.isPresent, "there is no optional test corpus"))
struct CorpusEvidenceTests {
  private static func statistics(of file: String) throws -> PressureStatistics? {
    let recording = try Recording(path: Corpus.folder + "/" + file)
    guard var statistics = PressureStatistics(of: recording.description) else { return nil }
    var tracker = ContactTracker(description: recording.description)
    var frame = Frame()
    var contacts = ContactFrame()
    while try recording.nextFrame(into: &frame) {
      tracker.process(frame, into: &contacts)
      statistics.add(contacts)
    }
    return statistics
  }

  @Test("nothing rash", arguments: Corpus.rows.map(\.file))
  func everyFile(file: String) throws {
    guard let statistics = try Self.statistics(of: file), statistics.sampleCount > 0 else { return }
    print(
      "\(statistics.sampleCount) samples, \(statistics.contactCount) contacts,",
      "\(statistics.distinctCount) pressures,",
      "correlation \(statistics.majorCorrelation.map { "\($0)" } ?? "-"),",
      "equal \(statistics.equalShare.map { "\($0)" } ?? "-"),",
      "stuck \(statistics.stuckShare.map { "\($0)" } ?? "-"), wraps \(statistics.wrapCount),",
      "proven \(statistics.evidence.map { "\($0)" } ?? "-"): \(file)")
    #expect(statistics.evidence == nil)
  }

  /// Asus TF201: pressure is the major axis.
  @Test func aTabletWhosePressureIsItsSize() throws {
    let file = try #require(
      Corpus.rows.map(\.file).first { $0.contains("tablet-single-drag") })
    let statistics = try #require(try Self.statistics(of: file))
    #expect(statistics.equalShare == 1)
    #expect(statistics.majorCorrelation == 1)
    #expect(statistics.distinctCount <= 4)
    // One drag is not enough to say so.
    #expect(statistics.contactCount < 10 && statistics.evidence == nil)
  }

  /// A phone's pressure goes with size, and is not it.
  @Test func aPhoneWhosePressureFollowsSize() throws {
    let file = try #require(Corpus.rows.map(\.file).first { $0.contains("com.ackroo.mrgas") })
    let statistics = try #require(try Self.statistics(of: file))
    #expect(statistics.sampleCount > 1000 && statistics.contactCount > 100)
    let correlation = try #require(statistics.majorCorrelation)
    #expect(0.7 < correlation && correlation < 0.97)
    #expect(try #require(statistics.equalShare) < 0.1)
    #expect(statistics.evidence == nil)
  }
}
