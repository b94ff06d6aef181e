import Glibc

/// A file that the daemon keeps. It is replaced as a whole: whoever reads it, whenever the power
/// goes, finds the old text or the new.
struct StateFile {
  let path: String

  /// What the file system said, in one line.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  func write(_ text: String) throws(Failure) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    // A service finds it made; whoever starts the daemon by hand does not.
    if mkdir(folder, 0o755) != 0, errno != EEXIST { throw failure("make", folder) }
    let temporary = path + ".new"
    // Whatever a crash, or somebody, left there is not written into: it may be another's file by a
    // second name, or a pipe.
    unlink(temporary)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = open(temporary, flags, 0o644)
    guard descriptor >= 0 else { throw failure("write", temporary) }
    do throws(Failure) {
      defer { close(descriptor) }
      // Others may read what was calibrated, whatever the umask says.
      guard fchmod(descriptor, 0o644) == 0 else { throw failure("write", temporary) }
      try write(Array(text.utf8), to: descriptor, temporary)
      guard fsync(descriptor) == 0 else { throw failure("write", temporary) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let failure = failure("replace", path)
      unlink(temporary)
      throw failure
    }
    // The new name is only sure to stay once the folder is written.
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if opened >= 0 {
      fsync(opened)
      close(opened)
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0 && errno != EINTR { throw failure("write", name) }
      written += max(0, count)
    }
  }

  private func failure(_ verb: String, _ path: String) -> Failure {
    Failure(description: "cannot \(verb) \(path): \(String(cString: strerror(errno)))")
  }
}
