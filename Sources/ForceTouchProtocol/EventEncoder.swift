public import ForceTouchModel

/// Writes what the streams of `org.forcetouchd.Monitor` and `org.forcetouchd.Previewing` send for
/// every frame, without allocating: the JSON encoder of the control path costs some 30 times as
/// much. The tests hold it to decode to the very ``EventMessage``, ``FrameMessage`` and
/// ``PreviewingMessage/Event``.
public enum EventEncoder {
  /// Appends the parameters of a reply, `{"event":{…}}`.
  public static func encode(
    _ event: ContactEvent, device: String, into buffer: inout JSONBuffer
  ) {
    buffer.append("{\"event\":{\"event\":")
    buffer.append(name(event.kind))
    buffer.append(",\"device\":")
    buffer.append(string: device)
    buffer.append(",\"contact\":")
    buffer.append(event.contact.rawValue)
    buffer.append(",\"slot\":")
    buffer.append(event.slot)
    buffer.append(",\"time\":")
    buffer.append(event.time.microseconds)
    if let reason = event.kind.reason {
      buffer.append(",\"reason\":")
      buffer.append(string: reason.rawValue)
    }
    if let position = event.position {
      buffer.append(",\"x\":")
      buffer.append(position.x)
      buffer.append(",\"y\":")
      buffer.append(position.y)
    }
    if let raw = event.rawPressure {
      buffer.append(",\"raw\":")
      buffer.append(raw)
    }
    append(event.force, to: &buffer)
    if let grams = event.force?.grams {
      buffer.append(",\"gramsUncertainty\":")
      buffer.append(grams.uncertainty)
    }
    buffer.append(",\"stage\":")
    buffer.append(event.stage)
    buffer.append(",\"peekProgress\":")
    buffer.append(event.peekProgress)
    buffer.append(",\"popProgress\":")
    buffer.append(event.popProgress)
    if event.wasAlreadyDown { buffer.append(",\"alreadyDown\":true") }
    if event.isResynchronized { buffer.append(",\"resynchronized\":true") }
    if event.isEstimated { buffer.append(",\"estimated\":true") }
    if let failure = event.failure {
      buffer.append(",\"failure\":")
      buffer.append(string: failure.rawValue)
    }
    buffer.append("}}")
  }

  /// Appends the parameters of a reply, `{"frame":{…}}`.
  public static func encode(_ frame: Frame, device: String, into buffer: inout JSONBuffer) {
    buffer.append("{\"frame\":{\"device\":")
    buffer.append(string: device)
    buffer.append(",\"time\":")
    buffer.append(frame.time.microseconds)
    buffer.append(",\"resynchronized\":")
    buffer.append(frame.isResynchronized ? "true" : "false")
    buffer.append(",\"events\":[")
    var isFirst = true
    for event in frame.events {
      buffer.append(isFirst ? "{\"type\":" : ",{\"type\":")
      isFirst = false
      buffer.append(event.type)
      buffer.append(",\"code\":")
      buffer.append(event.code)
      buffer.append(",\"value\":")
      buffer.append(event.value)
      buffer.append("}")
    }
    buffer.append("]}}")
  }

  /// Appends the parameters of a reply, `{"event":{…}}`, of a previewing context.
  ///
  /// - Parameter maximumPossibleForce: Of the device; nil without a profile.
  public static func encode(
    _ event: PreviewEvent, device: String, maximumPossibleForce: Double?,
    into buffer: inout JSONBuffer
  ) {
    buffer.append("{\"event\":{\"event\":")
    buffer.append(name(event.kind))
    buffer.append(",\"interaction\":")
    buffer.append(event.interaction.rawValue)
    buffer.append(",\"device\":")
    buffer.append(string: device)
    buffer.append(",\"time\":")
    buffer.append(event.time.microseconds)
    switch event.kind {
    case .question(let timeout, let claimed):
      buffer.append(",\"timeout\":")
      buffer.append(timeout.microseconds)
      if let claimed {
        buffer.append(",\"claimed\":")
        buffer.append(claimed)
      }
      if let maximumPossibleForce {
        buffer.append(",\"maximumPossibleForce\":")
        buffer.append(maximumPossibleForce)
      }
    case .peekProgress(let progress), .popProgress(let progress):
      buffer.append(",\"progress\":")
      buffer.append(progress)
    case .peekCancelled(let reason):
      buffer.append(",\"reason\":")
      buffer.append(string: reason.rawValue)
    case .peek, .pop, .peekEnded: break
    }
    if let location = event.location {
      buffer.append(",\"location\":{\"x\":")
      buffer.append(location.x)
      buffer.append(",\"y\":")
      buffer.append(location.y)
      buffer.append("}")
    }
    append(event.force, to: &buffer)
    if event.isEstimated { buffer.append(",\"estimated\":true") }
    buffer.append("}}")
  }

  /// Replaces the buffer's content by whole messages of a stream, one for each event.
  public static func encodeReplies(
    _ events: [ContactEvent], device: String, into buffer: inout JSONBuffer
  ) {
    buffer.removeAll()
    for event in events {
      appendReply(into: &buffer) { encode(event, device: device, into: &$0) }
    }
  }

  /// Replaces the buffer's content by a whole message of a stream: the reply around the parameters
  /// that `encode` appends, with its NUL.
  public static func encodeReply(
    into buffer: inout JSONBuffer, parameters encode: (inout JSONBuffer) -> Void
  ) {
    buffer.removeAll()
    appendReply(into: &buffer, parameters: encode)
  }

  @inline(__always)
  private static func appendReply(
    into buffer: inout JSONBuffer, parameters encode: (inout JSONBuffer) -> Void
  ) {
    buffer.append("{\"parameters\":")
    encode(&buffer)
    buffer.append(",\"continues\":true}")
    buffer.terminate()
  }

  /// The fields that tell force, in all events alike; none where there is no profile.
  private static func append(_ force: ForceSample?, to buffer: inout JSONBuffer) {
    guard let force else { return }
    buffer.append(",\"pressure\":")
    buffer.append(force.pressure)
    buffer.append(",\"force\":")
    buffer.append(force.force)
    if let grams = force.grams {
      buffer.append(",\"grams\":")
      buffer.append(grams.value)
    }
  }

  private static func name(_ kind: ContactEvent.Kind) -> StaticString {
    switch kind {
    case .began: "\"began\""
    case .changed: "\"changed\""
    case .peek: "\"peek\""
    case .pop: "\"pop\""
    case .peekEnded: "\"peekEnded\""
    case .peekCancelled: "\"peekCancelled\""
    case .ended: "\"ended\""
    case .cancelled: "\"cancelled\""
    }
  }

  private static func name(_ kind: PreviewEvent.Kind) -> StaticString {
    switch kind {
    case .question: "\"question\""
    case .peekProgress: "\"peekProgress\""
    case .peek: "\"peek\""
    case .popProgress: "\"popProgress\""
    case .pop: "\"pop\""
    case .peekEnded: "\"peekEnded\""
    case .peekCancelled: "\"peekCancelled\""
    }
  }
}
