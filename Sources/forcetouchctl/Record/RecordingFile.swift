import Glibc

/// The file a recording is written to. As long as it is not whole it lies beside it, as FILE.part:
/// a full disk, or a crash, takes neither what was there before nor what was recorded so far.
final class RecordingFile {
  /// What was to be written would make it larger than it may be; nothing of that is written.
  struct LimitReached: Error {}

  private let descriptor: Int32
  private let path: String
  /// Where it lies until it is whole; nil: where it belongs, as this is no file.
  private let part: String?
  private let limit: Int
  /// In bytes.
  private(set) var size = 0

  /// - Parameters:
  ///   - path: nil: standard output.
  ///   - limit: How many bytes it may have.
  init(path: String?, limit: Int) throws(CommandError) {
    self.path = path ?? "standard output"
    self.limit = limit
    guard let path else {
      descriptor = STDOUT_FILENO
      part = nil
      return
    }
    signal(SIGXFSZ, SIG_IGN)
    var status = stat()
    // A device, a pipe or a link is written to, not replaced.
    let isFile = lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    part = isFile ? path + ".part" : nil
    descriptor = open(part ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .failed("\(problem); --output names another place") }
  }

  func write(_ bytes: [UInt8]) throws {
    guard bytes.count <= limit - size else { throw LimitReached() }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0 && errno != EINTR { throw cutOff }
      written += max(0, count)
    }
    size += bytes.count
  }

  /// Some file systems say only here that the disk is full.
  func close() throws(CommandError) {
    guard descriptor != STDOUT_FILENO else { return }
    guard Glibc.close(descriptor) == 0 else { throw cutOff }
    if let part, rename(part, path) != 0 { throw cutOff }
  }

  private var problem: String { "cannot write \(path): \(String(cString: strerror(errno)))" }

  private var cutOff: CommandError {
    .failed(problem + (part.map { "; what was recorded until then is in \($0)" } ?? ""))
  }
}
