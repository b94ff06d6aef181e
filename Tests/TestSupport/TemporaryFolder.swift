import Glibc
import Testing

/// A folder that is removed, with the files in it, at the end of its life.
final class TemporaryFolder: Sendable {
  private let folder: String

  init() throws {
    var template = Array("/tmp/varlink-tests.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func path(_ name: String) -> String { folder + "/" + name }

  deinit {
    if let entries = opendir(folder) {
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        unlink(path(name))
      }
      closedir(entries)
    }
    rmdir(folder)
  }
}
