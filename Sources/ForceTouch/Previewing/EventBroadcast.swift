/// The sequences that listen to one thing.
struct EventBroadcast<Element: Sendable> {
  private struct Listener {
    let continuation: AsyncStream<Element>.Continuation
    /// How many elements it has room for.
    var room: Int
  }

  private let capacity: Int
  private var listeners: [Listener] = []
  private var hasEnded = false

  /// - Parameter capacity: How much may wait for a listener that does not listen. One that cannot
  ///   take even that is ended: a sequence with gaps would be worse.
  init(capacity: Int = 1024) { self.capacity = capacity }

  mutating func listen(beginningWith first: Element? = nil) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingOldest(capacity))
    if let first { continuation.yield(first) }
    if hasEnded {
      continuation.finish()
    } else {
      listeners.append(Listener(continuation: continuation, room: capacity))
    }
    return stream
  }

  /// - Parameter isDispensable: It is left out for those who have half of their room left.
  mutating func send(_ element: Element, isDispensable: Bool = false) {
    listeners = listeners.compactMap { listener in
      guard !isDispensable || listener.room > capacity / 2 else { return listener }
      switch listener.continuation.yield(element) {
      case .enqueued(let room): return Listener(continuation: listener.continuation, room: room)
      case .dropped:
        listener.continuation.finish()
        return nil
      case .terminated: return nil
      @unknown default: return nil
      }
    }
  }

  mutating func end() {
    for listener in listeners { listener.continuation.finish() }
    listeners = []
    hasEnded = true
  }
}
