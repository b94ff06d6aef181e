import Glibc

/// A folder that is removed, with the files in it, at the end of its life.
package final class TemporaryFolder: Sendable {
  private let folder: String

  /// The folder could not be made.
  package struct Failure: Error {
    package let code: Int32
  }

  package init() throws(Failure) {
    var template = Array("/tmp/forcetouch-tests.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  package func path(_ name: String) -> String { folder + "/" + name }

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
