import ForceTouchModel
import ForceTouchProtocol
import ForceTouchSettings
import Varlink

/// `org.forcetouchd.Control`: for root and the daemon's own user.
final class ControlHandler: InterfaceHandler {
  let interface = ControlMessage.interface
  let interfaceText = ControlMessage.interfaceText
  private let hub: Hub
  private let access: AccessPolicy
  private let configuration: Configuration

  init(hub: Hub, access: AccessPolicy, configuration: Configuration) {
    self.hub = hub
    self.access = access
    self.configuration = configuration
  }

  func handle(_ call: Call, of session: ClientSession) throws(ServiceError) {
    guard access.mayControl(session.connection.peer) else {
      throw .permissionDenied(interface, needed: AccessPolicy.controlNeeds)
    }
    switch call.method {
    case "SetProfile":
      let parameters = try call.parameters(as: ControlMessage.SetProfileCall.self)
      let device = try device(parameters.device)
      try set(try profile(parameters.profile), of: device)
      session.reply(Empty())
    case "ResetProfile":
      let parameters = try call.parameters(as: ControlMessage.ResetProfileCall.self)
      try set(nil, of: try device(parameters.device))
      session.reply(Empty())
    case "GetSettings": session.reply(settings)
    case "SetSetting":
      let parameters = try call.parameters(as: ControlMessage.SetSettingCall.self)
      try set(parameters.name, to: parameters.value)
      session.reply(Empty())
    case "ResetSetting":
      try set(try call.parameters(as: ControlMessage.ResetSettingCall.self).name, to: nil)
      session.reply(Empty())
    case "Reload":
      configuration.reload()
      session.reply(ControlMessage.ReloadReply(problems: configuration.problems))
    default: throw .methodNotFound(call.method)
    }
  }

  private var settings: ControlMessage.GetSettingsReply {
    .init(
      settings: configuration.judge.settings.effective.map {
        .init(
          name: $0.name, value: $0.value, file: $0.origin?.file, line: $0.origin?.line,
          column: $0.origin?.column)
      }, problems: configuration.problems)
  }

  private func device(_ id: String) throws(ServiceError) -> ServedDevice {
    guard let device = hub.device(id) else { throw .noSuchDevice(interface, id) }
    return device
  }

  private func profile(
    _ profile: ControlMessage.Profile
  ) throws(ServiceError) -> ForceProfile {
    do throws(ForceProfileError) {
      return try ForceProfile(
        floor: profile.floor, average: profile.average, ceiling: profile.ceiling,
        click: profile.click)
    } catch {
      throw invalidProfile(error.description)
    }
  }

  private func set(
    _ profile: ForceProfile?, of device: ServedDevice
  ) throws(ServiceError) {
    do throws(Configuration.ProfileRefusal) {
      try configuration.setProfile(
        profile, for: device.engine.description, evidence: device.engine.evidence)
    } catch {
      switch error {
      case .invalid(let reason): throw invalidProfile(reason)
      case .notStored(let reason): throw notStored(reason)
      }
    }
  }

  private func set(_ name: String, to value: String?) throws(ServiceError) {
    do throws(Configuration.SettingRefusal) {
      try configuration.setSetting(name, to: value)
    } catch {
      switch error {
      case .invalid(let reason):
        throw ServiceError(
          ControlMessage.InvalidSetting.error,
          ControlMessage.InvalidSetting(name: name, reason: reason))
      case .unknownName:
        throw ServiceError(
          ControlMessage.NoSuchSetting.error, ControlMessage.NoSuchSetting(name: name))
      case .notStored(let reason): throw notStored(reason)
      }
    }
  }

  private func invalidProfile(_ reason: String) -> ServiceError {
    ServiceError(
      ControlMessage.InvalidProfile.error, ControlMessage.InvalidProfile(reason: reason))
  }

  private func notStored(_ reason: String) -> ServiceError {
    ServiceError(ControlMessage.NotStored.error, ControlMessage.NotStored(reason: reason))
  }
}
