import ForceTouchProtocol

/// One open `org.forcetouchd.Devices.Watch`.
final class DeviceStream {
  private let session: ClientSession

  init(session: ClientSession) {
    self.session = session
  }

  func send(_ reply: DevicesMessage.WatchReply) {
    session.reply(reply, continues: true)
    session.flush()
  }

  func end() {
    session.endStream(DevicesMessage.WatchReply())
  }
}
