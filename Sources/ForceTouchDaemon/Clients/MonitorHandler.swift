import ForceTouchProtocol
import Varlink

/// `org.forcetouchd.Monitor`: for root, the daemon's own user and the group `forcetouch`.
final class MonitorHandler: InterfaceHandler {
  let interface = MonitorMessage.interface
  let interfaceText = MonitorMessage.interfaceText
  private let hub: Hub
  private let access: AccessPolicy
  private let statistics: () -> MonitorMessage.GetStatisticsReply

  init(
    hub: Hub, access: AccessPolicy,
    statistics: @escaping () -> MonitorMessage.GetStatisticsReply
  ) {
    self.hub = hub
    self.access = access
    self.statistics = statistics
  }

  func handle(_ call: Call, of session: ClientSession) throws(ServiceError) {
    guard access.mayMonitor(session.connection.peer) else {
      throw .permissionDenied(interface, needed: AccessPolicy.monitorNeeds)
    }
    switch call.method {
    case "Watch":
      guard call.wantsMore else { throw .expectedMore }
      let parameters = try call.parameters(as: MonitorMessage.WatchCall.self)
      if let id = parameters.device, hub.device(id) == nil {
        throw .noSuchDevice(interface, id)
      }
      let stream = MonitorStream(
        session: session, call: parameters,
        seesDevicesWithoutSeat: access.isTrusted(session.connection.peer))
      session.closeStream = { [hub] in hub.remove(stream) }
      hub.add(stream)
    case "Describe":
      let id = try call.parameters(as: MonitorMessage.DescribeCall.self).device
      guard let device = hub.device(id),
        device.seat != nil || access.isTrusted(session.connection.peer)
      else { throw .noSuchDevice(interface, id) }
      session.reply(DescriptionMessage(device.engine.description))
    case "GetStatistics": session.reply(statistics())
    default: throw .methodNotFound(call.method)
    }
  }
}
