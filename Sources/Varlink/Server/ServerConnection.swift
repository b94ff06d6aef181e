internal import Glibc

/// One client of a server. It never blocks and has no loop: whoever owns it watches
/// ``descriptor`` and calls ``receive()`` and ``flush()``. Not safe for several threads at once.
public final class ServerConnection {
  public let peer: PeerCredentials
  private let socket: FileDescriptor
  private var input: MessageBuffer
  private var output = OutputBuffer()
  /// Of `output`. Streams ask for it several times in every frame, and Swift's check of exclusive
  /// access to what is changed in place costs more than a number of its own.
  private var pending = 0
  private var hasEnded = false
  /// The call that was not answered to its end. Until then no other is taken.
  private var current: Call?

  /// The longest message a client may send, in bytes. No call of ours has a tenth of it, and the
  /// worst that fits is refused in some two milliseconds, in which everybody else waits.
  public static let maximumMessageLength = 16 * 1024

  init(
    _ socket: consuming FileDescriptor, maximumMessageLength: Int = maximumMessageLength
  ) throws(SystemError) {
    peer = try PeerCredentials(of: socket.raw)
    self.socket = socket
    input = MessageBuffer(limit: maximumMessageLength)
  }

  public var descriptor: Int32 { socket.raw }

  // MARK: Receiving

  /// Why a connection must be closed.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case messageTooLong
    case malformedMessage
    case system(SystemError)

    public var description: String {
      switch self {
      case .messageTooLong: "a message longer than \(maximumMessageLength) bytes"
      case .malformedMessage: "a message that is no Varlink call"
      case .system(let error): error.description
      }
    }
  }

  /// Whether it is worth waiting for input. Not from a client that does not read its replies:
  /// it would have us keep ever more of them.
  public var wantsInput: Bool {
    !hasEnded && input.hasRoom && pendingBytes <= Self.largestBacklog
  }

  private static let largestBacklog = 64 * 1024

  /// Whether a call may come that can be taken now.
  public var mayHaveCalls: Bool { current == nil && wantsInput }

  /// Nothing more will come, nothing is being answered, and everything is written.
  public var isFinished: Bool {
    hasEnded && current == nil && !input.hasMessage && pendingBytes == 0
  }

  /// Reads some of what is there. Not all: one client that never stops would keep the others
  /// waiting, and the replies to few calls are memory enough.
  public func receive() throws(Failure) {
    guard wantsInput else { return }
    let attempt: Attempt<Int>
    do throws(SystemError) {
      attempt = try input.receive(from: socket.raw, atMost: 16 * 1024)
    } catch {
      throw .system(error)
    }
    if case .done(0) = attempt { hasEnded = true }
  }

  /// The next call; nil when there is none yet, or when one is still being answered. Ask again
  /// after an answer that was not given at once: calls may wait behind it.
  public func nextCall() throws(Failure) -> Call? {
    guard current == nil else { return nil }
    do {
      guard let message = try input.next() else { return nil }
      let call = try Call(message)
      current = call
      return call
    } catch {
      // What was asked before is answered still.
      try? flush()
      throw error is MessageBuffer.TooLong ? .messageTooLong : .malformedMessage
    }
  }

  // MARK: Replying

  // A reply that no call waits for would be taken for that of the next: it is dropped.

  /// Answers the current call; it is over unless the answer `continues`.
  public func reply(_ parameters: some Encodable, continues: Bool = false) {
    guard let encoded = try? JSON.encode(parameters) else {
      return reply(.methodNotImplemented(current?.method ?? ""))
    }
    queue("{\"parameters\":", encoded, continues ? ",\"continues\":true}" : "}")
    if !continues { current = nil }
  }

  /// Answers the current call with an error; it is over.
  public func reply(_ error: ServiceError) {
    queue("{\"error\":\"\(error.name)\",\"parameters\":", error.parameters, "}")
    current = nil
  }

  /// Queues whole replies of the current call that were encoded elsewhere, their NULs included.
  public func send(_ messages: Span<UInt8>) {
    guard current?.isOneway == false else { return }
    output.append(messages)
    pending = output.pendingBytes
  }

  /// As ``send(_:)`` and ``flush()``; where nothing is queued, nothing is copied either.
  public func write(_ messages: Span<UInt8>) throws(SystemError) {
    guard current?.isOneway == false else { return }
    guard pending == 0 else {
      send(messages)
      return try flush()
    }
    let written = try OutputBuffer.write(messages, to: socket.raw)
    if written < messages.count { send(messages.extracting(droppingFirst: written)) }
  }

  private func queue(_ head: String, _ parameters: [UInt8], _ tail: String) {
    guard current?.isOneway == false else { return }
    output.append(head.utf8)
    output.append(parameters)
    output.append(tail.utf8)
    output.append(0)
    pending = output.pendingBytes
  }

  /// What is queued and not yet written.
  public var pendingBytes: Int { pending }

  /// Writes what the socket takes. Whatever is left waits for it to become writable.
  public func flush() throws(SystemError) {
    guard pending > 0 else { return }
    defer { pending = output.pendingBytes }
    try output.flush(to: socket.raw)
  }
}
