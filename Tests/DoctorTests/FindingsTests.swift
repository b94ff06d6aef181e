import ForceTouchDoctor
import ForceTouchModel
import ForceTouchProtocol
import Testing

/// What is wrong, from what is there.
@Suite struct FindingsTests {
  static let socket = "/run/forcetouchd/socket"

  /// A machine on which all is well.
  static func healthy() -> Report {
    Report(
      machine: MachineReport(
        version: "1.2.3", kernel: "6.12", architecture: "x86_64", distribution: nil, libinput: nil,
        systemd: true),
      service: ServiceReport(
        units: [
          .init(
            name: "forcetouchd.socket", load: "loaded", active: "active", sub: "listening",
            file: "enabled"),
          .init(
            name: "forcetouchd.service", load: "loaded", active: "active", sub: "running",
            file: "disabled"),
        ], socket: socket, mode: "0666", version: "1.2.3"),
      access: AccessReport(
        root: false, daemonUser: true, group: true, member: true, inSession: true,
        session: .init(type: "wayland", seat: "seat0", active: true)),
      settings: SettingsReport(), libinput: LibinputReport(installed: true), devices: [pad()])
  }

  static func pad(
    _ capability: ForceTouchCapability = .available, _ reason: CapabilityReason = .table
  ) -> DeviceReport {
    var description = DeviceDescription(name: "Pad", node: "/dev/input/event5")
    description.seat = "seat0"
    return DeviceReport(
      device: DeviceMessage(
        device: "d1", description: description, kind: .trackpad, capability: capability,
        reason: reason,
        thresholds: capability == .available ? .init(hint: 85, peek: 106, pop: 155) : nil),
      judgedBy: .daemon,
      permissions: .init(
        mode: "0660", owner: "root", group: "input", readable: false, readableByDaemon: true))
  }

  /// What is found after a change for the worse: severity and text.
  static func found(_ change: (inout Report) -> Void) -> [Finding] {
    var report = healthy()
    change(&report)
    return report.findings
  }

  @Test func aHealthyMachineHasNone() {
    #expect(Self.healthy().findings == [])
  }

  @Test func noDeviceAndNoForceAreNoProblem() {
    #expect(Self.found { $0.devices = [] } == [])
    #expect(Self.found { $0.devices = [Self.pad(.unavailable, .noPressureAxis)] } == [])
  }

  static func silent(_ silence: ServiceReport.Silence, socket: String, service: String = "inactive")
    -> (inout Report) -> Void
  {
    {
      $0.service.version = nil
      $0.service.silence = silence
      $0.service.units[0].active = socket
      $0.service.units[1].active = service
    }
  }

  @Test(
    arguments: [
      (.missing, "inactive", "inactive", "sudo systemctl enable --now forcetouchd.socket"),
      (.refused, "active", "inactive", "sudo systemctl restart forcetouchd.socket"),
      (.broken, "active", "failed", "journalctl -u forcetouchd -b"),
      (.late, "active", "activating", "journalctl -u forcetouchd -b"),
      (.late, "active", "active", "sudo systemctl restart forcetouchd.service"),
      (.denied, "active", "inactive", "0666"),
    ] as [(ServiceReport.Silence, String, String, String)])
  func aSilentDaemonIsAProblemWithAWayOut(
    silence: ServiceReport.Silence, socket: String, service: String, remedy: String
  ) {
    let found = Self.found(Self.silent(silence, socket: socket, service: service))
    #expect(found.map(\.severity) == [.problem])
    #expect(found.first?.remedy.contains(remedy) == true, "\(found)")
  }

  @Test func withoutUnitsItIsInstalledOrStartedByHand() {
    let found = Self.found {
      Self.silent(.missing, socket: "inactive")(&$0)
      for index in $0.service.units.indices { $0.service.units[index].load = "not-found" }
    }
    #expect(found.map(\.remedy.description).first?.hasPrefix("install forcetouchd") == true)
    let container = Self.found {
      Self.silent(.missing, socket: "inactive")(&$0)
      $0.service.units = []
      $0.service.unitsProblem = "systemd does not run here"
      $0.machine.systemd = false
    }
    #expect(container.first?.remedy == "start it: forcetouchd --socket \(Self.socket)")
  }

  @Test func maskedIsUnmaskedFirst() {
    let found = Self.found {
      Self.silent(.missing, socket: "inactive")(&$0)
      $0.service.units[0].load = "masked"
    }
    #expect(found.first?.remedy.hasPrefix("sudo systemctl unmask forcetouchd.socket") == true)
  }

  @Test func anotherVersionIsAProblem() {
    let found = Self.found { $0.service.version = "1.2.2" }
    #expect(found.map(\.severity) == [.problem])
    #expect(found.first?.text == "the daemon is of version 1.2.2, this program of 1.2.3")
  }

  @Test func aMissingGroupIsAProblemOnlyOfAnInstallation() {
    #expect(Self.found { $0.access.group = false }.map(\.severity) == [.problem])
    let found = Self.found {
      $0.access.group = false
      $0.service.units = []
    }
    #expect(found.map(\.severity) == [.hint])
    #expect(found.first?.remedy == "sudo systemd-sysusers")
    #expect(Self.found { $0.access.daemonUser = false }.map(\.severity) == [.problem])
  }

  @Test func theGroupIsMissedOrNotYetInTheSession() {
    let outside = Self.found {
      $0.access.member = false
      $0.access.inSession = false
    }
    #expect(outside.map(\.severity) == [.hint])
    #expect(outside.first?.remedy.contains("usermod -aG forcetouch") == true)
    let notYet = Self.found { $0.access.inSession = false }
    #expect(notYet.map(\.remedy) == ["log in again"])
  }

  @Test func aSessionThatGetsNoPreviewsIsAHint() {
    #expect(Self.found { $0.access.session?.active = false }.map(\.severity) == [.hint])
    let remote = Self.found { $0.access.session = .init(type: "tty", seat: nil, active: true) }
    #expect(remote.map(\.text) == ["this session is not at a seat: programs in it get no previews"])
  }

  @Test func aDeviceAtAnotherSeatIsAHint() {
    let found = Self.found { $0.devices[0].device.seat = "seat1" }
    #expect(found.map(\.severity) == [.hint])
    #expect(found.first?.text.hasPrefix("Pad is at seat1, this session at seat0") == true)
    #expect(Self.found { $0.devices[0].device.seat = "seat0" } == [])
  }

  @Test func everyWrongLineIsAProblem() {
    let found = Self.found { $0.settings.problems = ["a.yaml:1:2: no", "b.yaml:3:4: never"] }
    #expect(found.map(\.text) == ["a.yaml:1:2: no; ignored", "b.yaml:3:4: never; ignored"])
    #expect(found.allSatisfy { $0.severity == .problem })
    // That file is not ours.
    #expect(Self.found { $0.libinput.problem = "local:1: no" }.map(\.severity) == [.hint])
  }

  @Test func whatTheDaemonCannotReadOrHasNot() {
    let unreadable = Self.found {
      $0.devices[0].judgedBy = .files
      $0.devices[0].unserved = true
      $0.devices[0].permissions?.readableByDaemon = false
    }
    #expect(unreadable.map(\.severity) == [.problem])
    #expect(unreadable.first?.remedy.hasPrefix("sudo usermod -aG input forcetouchd") == true)
    let unserved = Self.found { $0.devices[0].unserved = true }
    #expect(unserved.map(\.text) == ["the daemon does not have Pad (/dev/input/event5)"])
    // The daemon may have been started to read other files.
    let outdated = Self.found { $0.devices[0].outdated = true }
    #expect(outdated.map(\.severity) == [.hint])
    #expect(outdated.first?.remedy.hasPrefix("sudo systemctl reload forcetouchd, unless") == true)
  }

  @Test func whatIsSwitchedOffIsAHintThatSaysByWhom() {
    let found = Self.found {
      $0.devices = [Self.pad(.unavailable, .disabled)]
      $0.devices[0].switchedOffBy = "/etc/forcetouchd/conf.d/a.yaml:3"
      // That is meant to be so.
      $0.devices[0].unserved = true
    }
    #expect(found.map(\.severity) == [.hint])
    #expect(
      found.first?.text.hasSuffix(
        "switched off in the settings by /etc/forcetouchd/conf.d/a.yaml:3")
        == true)
  }

  @Test(arguments: [CapabilityReason.undescribed, .pressurePad, .unusableProfile])
  func whatNobodyHasDescribedIsAHint(reason: CapabilityReason) {
    let found = Self.found { $0.devices = [Self.pad(.unknown, reason)] }
    #expect(found.map(\.severity) == [.hint])
    #expect(
      found.first?.remedy.hasPrefix("sudo forcetouchctl calibrate /dev/input/event5 ") == true)
  }

  @Test func aPalmLimitBelowThePopIsAProblemWithTheLinesThatHelp() {
    let section = ["[A]", "MatchBus=usb"]
    func found(_ limit: PalmLimit) -> [Finding] {
      Self.found { $0.devices[0].palm = .init(limit, section: section) }
    }
    let problem = found(.above(130, nil))
    #expect(problem.map(\.severity) == [.problem])
    #expect(problem.first?.text.contains("above 130") == true)
    #expect(problem.first?.text.contains("pop is at 155") == true)
    #expect(problem.first?.remedy.contains("/etc/libinput/local-overrides.quirks") == true)
    #expect(problem.first?.lines == section)
    // At the limit itself a touch is a touch yet.
    #expect(found(.above(155, nil)) == [])
    #expect(found(.none("it is outside")) == [])
  }

  /// What was seen of a device that was used well.
  static func seen(
    _ change: (inout MonitorMessage.PressureStatistics) -> Void = { _ in }
  ) -> MonitorMessage.PressureStatistics {
    var seen = MonitorMessage.PressureStatistics(
      samples: 5000, contacts: 50, minimum: 2, maximum: 180, distinct: 120, majorCorrelation: 0.3,
      minorCorrelation: 0.2, equal: 0, stuck: 0.1)
    change(&seen)
    return seen
  }

  @Test(
    arguments: [
      (seen(), .yes), (seen { $0.majorCorrelation = 0.95 }, .no),
      (seen { $0.minorCorrelation = -0.95 }, .no), (seen { $0.proven = .constant }, .no),
      (seen { $0.samples = 499 }, .notEnoughSeen), (seen { $0.contacts = 9 }, .notEnoughSeen),
      (
        seen {
          $0.majorCorrelation = nil
          $0.minorCorrelation = nil
        }, .notEnoughSeen
      ),
    ] as [(MonitorMessage.PressureStatistics, Independence)])
  func whetherPressureIsMoreThanSize(
    seen: MonitorMessage.PressureStatistics, independence: Independence
  ) {
    #expect(Independence(seen) == independence)
  }

  @Test(
    arguments: [
      (seen(), nil), (seen { $0.majorCorrelation = 0.95 }, "size of the contact"),
      (seen { $0.stuck = 0.8 }, "stays the same"), (seen { $0.wraps = 1 }, "jumps"),
      (
        seen {
          $0.samples = 100
          $0.stuck = 0.8
          $0.majorCorrelation = 1
        }, nil
      ),
    ] as [(MonitorMessage.PressureStatistics, String?)])
  func whatIsHardlyForceIsAHint(seen: MonitorMessage.PressureStatistics, sign: String?) {
    let found = Self.found { $0.devices[0].pressure = seen }
    #expect(found.map(\.severity) == (sign == nil ? [] : [.hint]))
    if let sign { #expect(found.first?.text.contains(sign) == true) }
    // What is unavailable needs no more reasons.
    #expect(
      Self.found {
        $0.devices = [Self.pad(.unavailable, .contactSize)]
        $0.devices[0].pressure = seen
      } == [])
  }

  @Test func problemsComeBeforeHints() {
    let found = Self.found {
      $0.devices = [Self.pad(.unknown, .undescribed)]
      $0.access.session?.active = false
      $0.settings.problems = ["a.yaml:1:2: no"]
      $0.libinput.problem = "local:1: no"
    }
    #expect(found.map(\.severity) == [.problem, .hint, .hint, .hint])
  }
}
