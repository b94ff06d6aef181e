import ForceTouchDevices
import ForceTouchModel
import ForceTouchRecordings
import Glibc

enum RecordCommand: Command {
  static let name = "record"
  static let summary = "Record a device as libinput record does, until Ctrl-C."
  static let synopsis = "NODE [--output FILE]"
  static let options = [
    (name: "--output", value: Optional("FILE"), meaning: "write here instead of standard output")
  ]
  static let operands = 1...1

  static func run(_ arguments: Arguments) throws(CommandError) {
    let node = try LiveNode(arguments.operands[0])
    let description = try node.describe()
    let reader = try node.open()
    if description.touchKind == .touchscreen {
      Output.complain("a touchscreen's recording holds what is typed on it; mind whom you give it")
    }
    let signals = try Signals([SIGINT, SIGTERM])
    let output = try OutputFile(path: arguments["--output"])
    do {
      var writer = try RecordingWriter(
        description: description, kernel: Kernel().release, write: output.write)
      let failure = try record(reader, &writer, until: signals)
      try output.close()
      if let failure { throw CommandError.failed(failure.description) }
    } catch let error as CommandError {
      throw error
    } catch {
      throw .failed("\(error)")
    }
  }

  /// Gives why the device could not be read any more, if that is how it ended.
  private static func record(
    _ reader: EvdevReader, _ writer: inout RecordingWriter, until signals: Signals
  ) throws -> EvdevError? {
    var frame = Frame()
    while true {
      var waited = [signals.descriptor, reader.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&waited, nfds_t(waited.count), -1)
      guard signals.take().isEmpty else { return nil }
      reading: while true {
        switch reader.nextFrame(into: &frame) {
        case .frame:
          try writer.append(frame)
          frame.removeAll()
        case .wouldBlock: break reading
        case .gone:
          Output.complain("the device is gone; the recording ends")
          return nil
        case .failed(let error): return error
        }
      }
    }
  }
}

/// The file a recording is written to. As long as it is not whole it lies beside it, as FILE.part:
/// a full disk, or a crash, takes neither what was there before nor what was recorded so far.
private final class OutputFile {
  private let descriptor: Int32
  private let path: String
  /// Where it lies until it is whole; nil: where it belongs, as this is no file.
  private let part: String?

  init(path: String?) throws(CommandError) {
    self.path = path ?? "standard output"
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
    guard descriptor >= 0 else { throw failure }
  }

  func write(_ bytes: [UInt8]) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0 && errno != EINTR { throw cutOff }
      written += max(0, count)
    }
  }

  /// Some file systems say only here that the disk is full.
  func close() throws(CommandError) {
    guard descriptor != STDOUT_FILENO else { return }
    guard Glibc.close(descriptor) == 0 else { throw cutOff }
    if let part, rename(part, path) != 0 { throw failure }
  }

  private var failure: CommandError {
    .failed("cannot write \(path): \(String(cString: strerror(errno)))")
  }

  private var cutOff: CommandError {
    let why = "cannot write \(path): \(String(cString: strerror(errno)))"
    return .failed(part.map { "\(why); what was recorded until then is in \($0)" } ?? why)
  }
}
