import ForceTouchActions
import ForceTouchProtocol
import Glibc
import Varlink

/// A previewing context for everything at the daemon: its stream, and a connection for calls.
final class PreviewingLink {
  typealias Message = PreviewingMessage

  private let stream: Client
  private let calls: Client
  private var token = ""
  private(set) var devices: [DeviceMessage] = []

  init(socket: String) throws(ClientError) {
    stream = try Client(path: socket)
    calls = try Client(path: socket)
    // Answers are worth milliseconds; a daemon that does not take one is as good as gone.
    var patience = timeval(tv_sec: 2, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        calls.descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Readable when there is something to ``receive()``.
  var descriptor: Int32 { stream.descriptor }

  /// Asks to be registered; the reply comes as the others.
  func register(touchscreens: Bool) throws(ClientError) {
    try stream.stream(
      Message.interface + ".Register",
      Message.RegisterCall(coverage: .everything, touchscreens: touchscreens))
  }

  func receive() throws(ClientError) { try stream.receive() }

  /// What was received; nil when that is all.
  func next() throws(ClientError) -> Message.RegisterReply? {
    guard let reply = try stream.bufferedReply() else { return nil }
    guard reply.continues else { throw .connectionLost(reason: "the daemon ended it") }
    let message = try reply.decoded(as: Message.RegisterReply.self)
    if let snapshot = message.snapshot {
      token = snapshot.token
      try listDevices()
    }
    return message
  }

  /// The device that an event names; nil when it is gone already.
  func device(_ id: String) throws(ClientError) -> ActionDevice? {
    if !devices.contains(where: { $0.device == id }) { try listDevices() }
    return devices.first { $0.device == id }.map(ActionDevice.init)
  }

  /// - Returns: Whether the daemon took the answer: the question may be over.
  func answer(_ interaction: UInt64, with answer: ActionAnswer) throws(ClientError) -> Bool {
    do throws(ClientError) {
      _ = try calls.call(
        Message.interface + ".Answer",
        Message.AnswerCall(
          token: token, interaction: interaction, preview: answer.preview,
          allowsPop: answer.preview ? answer.allowsPop : nil))
      return true
    } catch .service {
      return false
    }
  }

  /// A device is listed anew only when one is unknown: names are never used twice.
  private func listDevices() throws(ClientError) {
    devices = try calls.call(DevicesMessage.interface + ".List")
      .decoded(as: DevicesMessage.ListReply.self).devices
  }
}

extension ActionDevice {
  init(_ device: DeviceMessage) {
    self.init(id: device.device, name: device.name, node: device.node)
  }
}
