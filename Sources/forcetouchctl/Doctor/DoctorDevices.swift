import ForceTouchDevices
import ForceTouchDoctor
import ForceTouchEngine
import ForceTouchModel
import ForceTouchProtocol
import Glibc
import YAML

/// Looks at the touch devices of the machine, with what the daemon says of them beside.
struct DeviceInspection {
  let judge: Judge
  let daemon: DaemonAnswers
  let quirks: LibinputQuirks

  /// Why nothing is known of the devices.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Every touch device that udev knows, and what else the daemon serves, such as recordings.
  ///
  /// - Throws: a sentence when udev cannot tell.
  func reports() throws(Failure) -> [DeviceReport] {
    let all = Udev().devices()
    // udev says of every input device that it is one.
    guard all.isEmpty || all.contains(where: { UdevDetails($0)?.isKnown == true }) else {
      throw Failure(description: "udev has looked at none of the event nodes that there are")
    }
    let nodes = all.filter { $0.udevClass != .other }
    let live = nodes.sorted { $0.number < $1.number }.map(report)
    let others = daemon.devices.filter { served in
      served.isRecording || !nodes.contains { $0.node == served.node }
    }
    return (live + others.map { DeviceReport(device: $0, judgedBy: .daemon) }).map { report in
      var report = report
      report.pressure =
        daemon.statistics?.devices.first { $0.device == report.device.device }?.pressure
      return report
    }
  }

  private func report(_ udev: UdevDevice) -> DeviceReport {
    let details = UdevDetails(udev)
    let declared = udev.mayBeOpened ? try? EvdevReader(node: udev.node).description : nil
    let description = udev.complete(declared ?? Self.description(udev, details))
    // A device that is switched off is judged without a look at it.
    let isSeen = declared != nil || !udev.mayBeOpened
    let served = daemon.devices.first { !$0.isRecording && $0.node == udev.node }
    var judged = DeviceMessage(
      DeviceEngine(description: description, judge: judge), device: served?.device ?? udev.node)
    if !isSeen {
      judged.capability = .unknown
      judged.reason = .noDescription
      judged.explanation = "nobody could look at it"
    }
    var report = DeviceReport(
      device: served ?? judged, judgedBy: served != nil ? .daemon : isSeen ? .files : .nobody)
    report.outdated = served.map { declared != nil && Self.differs($0, judged) } ?? false
    // One that plays recordings opens nothing else.
    report.unserved =
      served == nil && daemon.version != nil && daemon.silence == nil
      && !daemon.devices.contains(where: \.isRecording)
    // Names in by-id are made of serial numbers.
    report.links = details?.links.filter { $0.contains("/by-path/") } ?? []
    report.axes = description.axes.sorted { $0.key < $1.key }.map { DeviceReport.Axis($0, $1) }
    report.properties = description.properties.sorted().map(Self.propertyName)
    report.table = judge.table.entry(for: description).map {
      .init(name: $0.name, place: Place($0.mark), source: $0.source)
    }
    report.calibration = judge.profiles.mark(for: description).map(Place.init)
    report.switchedOffBy = switchedOffBy(udev, description)
    if judge.settings.isEstimated(description) {
      report.estimatedBy = judge.settings.ruleForEstimating(description)?.mark.map(Place.init)
    }
    report.permissions = DeviceReport.Permissions(node: udev.node)
    report.palm = palm(description, details)
    return report
  }

  /// What is known of a node that cannot be opened.
  private static func description(
    _ udev: UdevDevice, _ details: UdevDetails?
  ) -> DeviceDescription {
    guard let details else { return DeviceDescription(name: udev.node) }
    return DeviceDescription(
      name: details.name, bus: details.bus, vendor: details.vendor, product: details.product,
      version: details.version)
  }

  /// Whether the daemon must have read other files. What it saw in use it knows better.
  private static func differs(_ served: DeviceMessage, _ judged: DeviceMessage) -> Bool {
    switch served.reason {
    case .equalsSize, .constant, .binary: false
    case .noDevice, .notTouch, .disabled, .virtual, .noPressureAxis, .degenerateAxis, .contactSize,
      .amplitude, .resistive, .calibrated, .table, .units, .semiMT, .pressurePad, .unusableProfile,
      .undescribed, .noDescription:
      served != judged
    }
  }

  private func switchedOffBy(_ udev: UdevDevice, _ description: DeviceDescription) -> String? {
    if udev.isIgnored { return "udev's FORCETOUCHD_IGNORE" }
    guard judge.settings.isDisabled(description) else { return nil }
    return judge.settings.ruleForEnabling(description)?.mark.map { "\(Place($0))" }
  }

  private func palm(
    _ description: DeviceDescription, _ details: UdevDetails?
  ) -> DeviceReport.Palm? {
    guard quirks.isInstalled, let details, !description.axes.isEmpty else { return nil }
    if details.isIgnoredByLibinput {
      return .init(.none("udev tells libinput to ignore the device"), section: [])
    }
    let subject = QuirkSubject(
      name: details.name, bus: details.bus, vendor: details.vendor, product: details.product,
      version: details.version, types: details.types,
      modalias: TextFile.read("/sys/devices/virtual/dmi/id/modalias")?.split(separator: "\n").first
        .map(String.init),
      deviceTree: TextFile.read("/sys/firmware/devicetree/base/compatible")?.split(separator: "\0")
        .first.map(String.init))
    return .init(
      PalmLimit(of: description, subject, integration: details.integration, quirks: quirks),
      section: subject.sectionWithoutPalms(maximum: description.pressureAxis?.maximum ?? 0))
  }

  private static func propertyName(_ number: UInt16) -> String {
    switch number {
    case InputProperty.pointer: "POINTER"
    case InputProperty.direct: "DIRECT"
    case InputProperty.buttonPad: "BUTTONPAD"
    case InputProperty.semiMultitouch: "SEMI_MT"
    case InputProperty.topButtonPad: "TOPBUTTONPAD"
    case InputProperty.pointingStick: "POINTING_STICK"
    case InputProperty.accelerometer: "ACCELEROMETER"
    case InputProperty.pressurePad: "PRESSUREPAD"
    default: "0x" + String(number, radix: 16)
    }
  }
}

extension Place {
  init(_ mark: YAMLMark) { self.init(file: mark.file, line: mark.line) }
}

extension DeviceReport.Axis {
  fileprivate init(_ code: UInt16, _ axis: Axis) {
    self.init(
      name: CodeNames.name(type: EventType.absolute, code: code)
        ?? "0x" + String(code, radix: 16),
      minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
      resolution: axis.resolution)
  }
}

extension DeviceReport.Permissions {
  /// nil when the node is not there.
  fileprivate init?(node: String) {
    guard let access = NodeAccess(path: node) else { return nil }
    let account = Account(name: "forcetouchd")
    self.init(
      mode: octal(access.mode), owner: Self.user(access.owner), group: Self.group(access.group),
      list: access.entries.map { entry in
        // Whose it is, is nobody's business in a bug report.
        (entry.kind == .user ? "a user" : "the group " + Self.group(entry.id))
          + (entry.mayRead ? " may read" : " may not read")
      },
      readable: Glibc.access(node, R_OK) == 0,
      readableByDaemon: account.map { access.allowsReading(user: $0.user, groups: $0.groups) })
  }

  private static func user(_ id: UInt32) -> String {
    getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "\(id)"
  }

  private static func group(_ id: UInt32) -> String {
    getgrgid(id).map { String(cString: $0.pointee.gr_name) } ?? "\(id)"
  }
}
