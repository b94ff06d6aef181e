import CNcurses
import Glibc
import Synchronization

/// Gives the terminal back when the program crashes: a signal handler may do little, so all that it
/// writes is made before. One in a process.
final class TerminalRestoration {
  private struct Parts {
    var terminal: Int32
    var modes: termios
    var bytes: UnsafeMutableBufferPointer<UInt8>
  }

  /// What a crash, or a `kill`, ends the program with.
  private static let fatalSignals = [
    SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT, SIGXCPU, SIGXFSZ,
  ]
  /// The address of what there is to do; 0: nothing.
  private static let current = Atomic<UInt>(0)
  private let parts: UnsafeMutablePointer<Parts>

  /// - Parameters:
  ///   - modes: As they were.
  ///   - capabilities: terminfo's names of what is to be written.
  init(_ terminal: Int32, modes: termios, capabilities: [String]) {
    let text = capabilities.flatMap(Self.bytes(of:))
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = bytes.initialize(from: text)
    parts = .allocate(capacity: 1)
    parts.initialize(to: Parts(terminal: terminal, modes: modes, bytes: bytes))
    Self.current.store(UInt(bitPattern: parts), ordering: .sequentiallyConsistent)
    for number in Self.fatalSignals {
      signal(number) { number in
        TerminalRestoration.restore()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  deinit {
    for number in Self.fatalSignals { signal(number, SIG_DFL) }
    Self.current.store(0, ordering: .sequentiallyConsistent)
    parts.pointee.bytes.deallocate()
    parts.deallocate()
  }

  private static func restore() {
    let address = current.exchange(0, ordering: .sequentiallyConsistent)
    guard let parts = UnsafeMutablePointer<Parts>(bitPattern: address) else { return }
    _ = write(parts.pointee.terminal, parts.pointee.bytes.baseAddress, parts.pointee.bytes.count)
    tcsetattr(parts.pointee.terminal, TCSANOW, &parts.pointee.modes)
  }

  /// What terminfo says, without the delays that stand in it (`$<5>`): those are for old terminals.
  private static func bytes(of capability: String) -> [UInt8] {
    guard let text = tigetstr(capability), Int(bitPattern: text) != -1 else { return [] }
    var bytes: [UInt8] = []
    var isDelay = false
    for byte in UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:)) {
      if byte == UInt8(ascii: "<"), bytes.last == UInt8(ascii: "$") {
        bytes.removeLast()
        isDelay = true
      } else if isDelay {
        isDelay = byte != UInt8(ascii: ">")
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
