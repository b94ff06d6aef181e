import Glibc

/// Recordings of real devices, when they are there: `FORCETOUCH_TEST_CORPUS`, or `shared/corpus`
/// beside the package.
package enum Corpus {
  package static let folder: String =
    getenv("FORCETOUCH_TEST_CORPUS").map { String(cString: $0) }
    ?? #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/shared/corpus"

  package static let isPresent: Bool = {
    let isPresent = access(folder + "/index.tsv", R_OK) == 0
    if !isPresent { print("skipped: there is no optional test corpus at \(folder)") }
    return isPresent
  }()

  /// The files, and how many events (`SYN_REPORT` too) the index says they hold.
  package static let rows: [(file: String, events: Int)] = {
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
