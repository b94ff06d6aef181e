import ForceTouchModel
import ForceTouchProtocol
import Varlink

/// `org.forcetouchd.Devices`: for whoever may connect.
final class DevicesHandler: InterfaceHandler {
  let interface = DevicesMessage.interface
  let interfaceText = DevicesMessage.interfaceText
  private let hub: Hub

  init(hub: Hub) { self.hub = hub }

  func handle(_ call: Call, of session: ClientSession) throws(ServiceError) {
    switch call.method {
    case "List":
      session.reply(DevicesMessage.ListReply(devices: hub.devices.map(\.message)))
    case "GetCapability":
      session.reply(try capability(call.parameters(as: DevicesMessage.GetCapabilityCall.self)))
    case "Watch":
      guard call.wantsMore else { throw .expectedMore }
      let stream = DeviceStream(session: session)
      session.closeStream = { [hub] in hub.remove(stream) }
      hub.add(stream)
    default: throw .methodNotFound(call.method)
    }
  }

  private func capability(
    _ call: DevicesMessage.GetCapabilityCall
  ) throws(ServiceError) -> DevicesMessage.GetCapabilityReply {
    if let id = call.device {
      guard let device = hub.device(id) else {
        throw .noSuchDevice(interface, id)
      }
      let verdict = device.engine.verdict
      return .init(capability: verdict.capability, reason: verdict.reason)
    }
    // As UIKit's trait: whether there is any device that feels force.
    for capability in [ForceTouchCapability.available, .unknown, .unavailable] {
      if let device = hub.devices.first(where: { $0.engine.verdict.capability == capability }) {
        return .init(capability: capability, reason: device.engine.verdict.reason)
      }
    }
    return .init(capability: .unavailable, reason: .noDevice)
  }
}
