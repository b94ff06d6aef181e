internal import Glibc

/// A file that may be read more than once. What cannot (a pipe) is copied into a temporary file
/// that has no name.
final class InputFile {
  let path: String
  private let descriptor: Int32
  private let progress: ((Double) -> Void)?
  /// In bytes, when it was opened.
  private let size: Int
  private var position = 0

  /// - Parameter progress: Is told with every reading which part of the file was read, 0…1.
  init(path: String, progress: ((Double) -> Void)? = nil) throws(RecordingError) {
    self.path = path
    self.progress = progress
    let opened =
      path == "-"
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard opened >= 0 else { throw Self.failure(path, errno) }
    var status = stat()
    guard fstat(opened, &status) == 0 else {
      close(opened)
      throw Self.failure(path, errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      descriptor = opened
      size = Int(status.st_size)
    case S_IFDIR:
      close(opened)
      throw Self.failure(path, EISDIR)
    case S_IFCHR where path != "-", S_IFBLK:
      close(opened)
      throw RecordingError(
        path: path, problem: "this is a device, no recording; record it first, then read the file")
    default:
      defer { close(opened) }
      (descriptor, size) = try Self.copy(opened, path)
    }
  }

  deinit { close(descriptor) }

  func rewind() throws(RecordingError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure(path, errno) }
    position = 0
  }

  /// Fills the buffer as far as there is something; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let count = try Self.read(descriptor, path, into: buffer)
    position += count
    // A file may grow while it is read.
    if size > 0 { progress?(min(1, Double(position) / Double(size))) }
    return count
  }

  private static func read(
    _ descriptor: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer
  ) throws(RecordingError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw failure(path, errno) }
    }
  }

  private static func copy(
    _ source: Int32, _ path: String
  ) throws(RecordingError) -> (descriptor: Int32, size: Int) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((folder + "/recording-XXXXXX").utf8CString)
    let target = mkstemp(&template)
    guard target >= 0 else { throw uncopied(path, folder, errno) }
    unlink(template)
    _ = fcntl(target, F_SETFD, FD_CLOEXEC)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
    defer { buffer.deallocate() }
    var size = 0
    do throws(RecordingError) {
      while true {
        let count = try read(source, path, into: buffer)
        if count == 0 { break }
        size += count
        var written = 0
        while written < count {
          let result = write(target, buffer.baseAddress.map { $0 + written }, count - written)
          if result < 0 && errno != EINTR { throw uncopied(path, folder, errno) }
          written += max(0, result)
        }
      }
    } catch {
      close(target)
      throw error
    }
    return (target, size)
  }

  private static func uncopied(
    _ path: String, _ folder: String, _ code: Int32
  ) -> RecordingError {
    RecordingError(
      path: path,
      problem: "cannot copy it to \(folder): \(String(cString: strerror(code))); "
        + "set TMPDIR to a folder with more room")
  }

  private static func failure(_ path: String, _ code: Int32) -> RecordingError {
    RecordingError(path: path, problem: "cannot read it: \(String(cString: strerror(code)))")
  }
}
