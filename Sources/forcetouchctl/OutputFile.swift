import Glibc

/// A file that a command makes. As long as it is not whole it lies beside it, as FILE.part: a full
/// disk, or a crash, does not take what was there before.
final class OutputFile {
  private let descriptor: Int32
  private let path: String
  /// Where it lies until it is whole; nil: where it belongs, as this is no file.
  private let part: String?
  private let keepsPart: Bool

  /// - Parameters:
  ///   - path: nil: standard output.
  ///   - keepsPart: What was written before a failure is worth something, and stays.
  init(path: String?, keepsPart: Bool) throws(CommandError) {
    self.path = path ?? "standard output"
    self.keepsPart = keepsPart
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
    guard descriptor >= 0 else { throw failure.adding("; --output names another place") }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0 && errno != EINTR { throw cutOff() }
      written += max(0, count)
    }
  }

  /// Some file systems say only here that the disk is full.
  func close() throws(CommandError) {
    guard descriptor != STDOUT_FILENO else { return }
    guard Glibc.close(descriptor) == 0 else { throw cutOff() }
    if let part, rename(part, path) != 0 { throw cutOff() }
  }

  private var failure: CommandError {
    .failed("cannot write \(path): \(String(cString: strerror(errno)))")
  }

  /// Tidies up, and says what became of what was written.
  private func cutOff() -> CommandError {
    let failure = failure
    guard let part else { return failure }
    if keepsPart { return failure.adding("; what was recorded until then is in \(part)") }
    unlink(part)
    return failure
  }
}
