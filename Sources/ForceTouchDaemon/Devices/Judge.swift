import ForceTouchDevices
import ForceTouchEngine
import ForceTouchModel
import ForceTouchSettings

/// Makes the engine of a device from what the table and the settings say.
struct Judge {
  let table: DeviceTable
  let settings: Settings

  func engine(for description: DeviceDescription) -> DeviceEngine {
    let verdict = forceTouchCapability(
      of: description, table: table,
      policy: CapabilityPolicy(isDisabled: settings.isDisabled(description)))
    return DeviceEngine(
      description: description, verdict: verdict, configuration: settings.recognition,
      estimates: settings.isEstimated(description))
  }
}
