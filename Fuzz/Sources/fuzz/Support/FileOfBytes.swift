import Glibc

/// An input as a file, for what reads files. It has no name in the file system but that of its
/// descriptor, and goes with this value.
struct FileOfBytes: ~Copyable {
  private let descriptor: Int32

  init(_ bytes: [UInt8] = []) {
    var name = Array("/tmp/fuzz.XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { fail("mkstemp: \(String(cString: strerror(errno)))") }
    unlink(name)
    append(bytes)
  }

  deinit { close(descriptor) }

  var path: String { "/proc/self/fd/\(descriptor)" }

  func append(_ bytes: [UInt8]) {
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      fail("write: \(String(cString: strerror(errno)))")
    }
  }
}
