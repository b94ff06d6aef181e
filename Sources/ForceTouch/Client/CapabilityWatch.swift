internal import ForceTouchProtocol
internal import Varlink

/// Follows the devices of the seat, to know whether one of them feels force.
final class CapabilityWatch: StreamOwner {
  /// nil while the daemon is not there.
  private(set) var capability: ForceTouchCapability?
  /// Why the daemon is not there.
  private(set) var error: ForceTouchError?
  private let seat: String
  private let onChange: () -> Void
  private var stream: PersistentStream?
  private var devices: [String: Device] = [:]

  /// What is needed of `type Device`: the rest may be as a newer daemon likes.
  private struct Device: Decodable {
    var device: String
    var seat: String?
    var capability: ForceTouchCapability
  }

  private struct WatchReply: Decodable {
    var snapshot: [Device]?
    var added: Device?
    var changed: Device?
    var removed: String?
  }

  init(hub: Hub, seat: String, onChange: @escaping () -> Void) {
    self.seat = seat
    self.onChange = onChange
    let stream = PersistentStream(hub: hub, owner: self)
    self.stream = stream
    stream.open()
  }

  func close() { stream?.close() }

  func call(on connection: ClientConnection) throws(ClientError) {
    try connection.call("\(DevicesMessage.interface).Watch", more: true)
  }

  func received(_ reply: Reply) throws(ClientError) {
    let message = try reply.decoded(as: WatchReply.self)
    if let snapshot = message.snapshot {
      devices = [:]
      for device in snapshot { devices[device.device] = device }
    }
    if let device = message.added ?? message.changed { devices[device.device] = device }
    if let removed = message.removed { devices[removed] = nil }
    // Those without a seat are recordings: they belong to who plays them.
    let ours = devices.values.filter { $0.seat == nil || $0.seat == seat }.map(\.capability)
    let best = [ForceTouchCapability.available, .unknown].first(where: ours.contains)
    change(to: best ?? .unavailable, nil)
  }

  func lost(_ error: ForceTouchError) { change(to: nil, error) }

  func refused(_ error: ForceTouchError) { change(to: nil, error) }

  private func change(to new: ForceTouchCapability?, _ error: ForceTouchError?) {
    let isChange = new != capability || (error == nil) != (self.error == nil)
    capability = new
    self.error = error
    if isChange { onChange() }
  }
}
