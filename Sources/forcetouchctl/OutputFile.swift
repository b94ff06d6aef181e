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
    var status = stat()
    // A device, a pipe or a link is written to, not replaced.
    let isFile = lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    part = isFile ? path + ".part" : nil
    // What another left there may be all that is left of a recording, or lead elsewhere.
    descriptor = Self.create(part ?? path, part == nil ? O_TRUNC : O_EXCL)
    if let part, descriptor < 0, errno == EEXIST {
      throw .failed(
        "cannot write \(path): \(part) is there, perhaps what a command left that was cut off; "
          + "move it away, or name another place with --output")
    }
    guard descriptor >= 0 else { throw failure.adding("; --output names another place") }
    if status.st_mode & S_IFMT == S_IFREG { fchmod(descriptor, status.st_mode & 0o777) }
  }

  /// Whether two paths lead to the same file.
  static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// One that lies where it belongs from the start, and is gone when it cannot be whole; nil: there is
  /// one of that name.
  init?(new path: String) throws(CommandError) {
    self.path = path
    part = path
    keepsPart = false
    descriptor = Self.create(path, O_EXCL)
    if descriptor < 0 && errno == EEXIST { return nil }
    guard descriptor >= 0 else { throw failure }
  }

  private static func create(_ path: String, _ flags: Int32) -> Int32 {
    // One that is too large is an error, not the end of the program.
    signal(SIGXFSZ, SIG_IGN)
    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o644)
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    guard writeAll(bytes, to: descriptor) else { throw cutOff() }
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
