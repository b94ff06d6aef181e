internal import Glibc

/// Owns a descriptor and closes it at the end of its life.
struct FileDescriptor: ~Copyable {
  let raw: Int32

  init(owning raw: Int32) { self.raw = raw }

  deinit { close(raw) }
}

/// A system call that failed: its name, and `errno`.
public struct SystemError: Error, Equatable, CustomStringConvertible {
  public let call: String
  public let code: Int32

  public init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The text for `errno`.
  public var reason: String { String(cString: strerror(code)) }

  public var description: String { "\(call): \(reason)" }
}

/// What became of a call that may find nothing to do yet.
enum Attempt<Value> {
  case done(Value)
  case wouldBlock
}

/// The one way to make a system call here: EINTR is retried, EAGAIN is a value, the rest a
/// typed error.
func system<Result: FixedWidthInteger & SignedInteger>(
  _ call: String, _ body: () -> Result
) throws(SystemError) -> Attempt<Result> {
  while true {
    let result = body()
    if result >= 0 { return .done(result) }
    switch errno {
    case EINTR: continue
    case EAGAIN: return .wouldBlock
    case let code: throw SystemError(call: call, code: code)
    }
  }
}

/// As ``system(_:_:)`` for calls that never block.
@discardableResult
func immediate<Result: FixedWidthInteger & SignedInteger>(
  _ call: String, _ body: () -> Result
) throws(SystemError) -> Result {
  switch try system(call, body) {
  case .done(let result): return result
  case .wouldBlock: throw SystemError(call: call, code: EAGAIN)
  }
}
