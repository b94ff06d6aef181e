import ForceTouchModel
import ForceTouchRecordings
import Glibc
import Testing

/// Recordings of real devices, when they are there: `FORCETOUCH_TEST_CORPUS`, or `shared/corpus`
/// beside the package.
enum Corpus {
  static let folder: String =
    getenv("FORCETOUCH_TEST_CORPUS").map { String(cString: $0) }
    ?? #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/shared/corpus"

  static let isPresent: Bool = {
    let isPresent = access(folder + "/index.tsv", R_OK) == 0
    if !isPresent { print("skipped: there is no optional test corpus at \(folder)") }
    return isPresent
  }()

  /// The files, and how many events (`SYN_REPORT` too) the index says they hold.
  static let rows: [(file: String, events: Int)] = {
    guard isPresent, let file = fopen(folder + "/index.tsv", "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes.append(contentsOf: chunk[..<count])
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().compactMap {
      let fields = $0.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 5, let events = Int(fields[5]) else { return nil }
      return (String(fields[0]), events)
    }
  }()
}

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
