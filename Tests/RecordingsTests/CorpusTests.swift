import ForceTouchModel
import ForceTouchRecordings
import TestSupport
import Testing

@Suite("The corpus", .enabled(if: Corpus.isPresent, "there is no optional test corpus"))
struct CorpusTests {
  @Test("is read to the last event, in the right format", arguments: Corpus.rows)
  func everyFile(file: String, events: Int) throws {
    let contents = try Contents(path: Corpus.folder + "/" + file)
    let folder: String =
      switch contents.format {
      case .libinput: "libinput-record/"
      case .evemu: "evemu/"
      case .evtest: "evtest/"
      case .getevent: "getevent/"
      }
    #expect(file.hasPrefix(folder))
    #expect(contents.frames.reduce(0) { $0 + $1.events.count + 1 } == events)
    #expect(contents.skippedLines == 0)
    #expect(!contents.endsMidFrame)
    #expect(events > 0 || !contents.description.isInferred)
  }

  @Test("passes through the writer event for event", arguments: Corpus.rows)
  func roundTrip(file: String, events: Int) throws {
    let contents = try Contents(path: Corpus.folder + "/" + file)
    var described = contents.description
    described.isInferred = false
    let again = try rewritten(described, contents.frames)
    #expect(again.description == described)
    #expect(again.frames == contents.frames)
  }

  @Test("holds no fewer files than it did")
  func size() { #expect(Corpus.rows.count >= 46) }
}
