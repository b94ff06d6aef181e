internal import ForceTouchModel
internal import ForceTouchProtocol

extension DeviceReport {
  private var title: String { device.node.map { "\(device.name) (\($0))" } ?? device.name }

  /// Whether it is meant to be used at all.
  private var isWanted: Bool { device.reason != .disabled && device.reason != .virtual }

  /// What is wrong with the device itself.
  var findings: [Finding] {
    var found: [Finding] = []
    if let permissions, permissions.readableByDaemon == false, judgedBy != .daemon, isWanted {
      found.append(
        Finding(
          .problem, "the daemon's user may not read \(title)",
          permissions.group == "input"
            ? "sudo usermod -aG input forcetouchd, then sudo systemctl restart forcetouchd"
            : "give the node to the group input, as udev does: see its rules"))
    } else if unserved, isWanted {
      found.append(
        Finding(
          .problem, "the daemon does not have \(title)", "journalctl -u forcetouchd -b says why"))
    }
    if outdated {
      found.append(
        Finding(
          .hint, "the daemon judges \(title) otherwise than the files here do",
          "sudo systemctl reload forcetouchd, unless it was started to read other files, with "
            + "--config or --state"))
    }
    return found + capabilityFindings + palmFindings + evidenceFindings
  }

  private var capabilityFindings: [Finding] {
    guard judgedBy != .nobody else {
      return [
        Finding(
          .hint, "nobody could look at \(title): the daemon does not answer, and this user may not",
          "sudo forcetouchctl doctor")
      ]
    }
    switch device.reason {
    case .disabled, .virtual:
      let who = switchedOffBy.map { " by \($0)" } ?? ""
      return [
        Finding(
          .hint, "\(title) is not used: \(device.explanation)\(who)",
          "if it should be, see forcetouchd.yaml(5) and udev's rules of forcetouchd")
      ]
    case .noDevice, .notTouch, .noPressureAxis, .degenerateAxis, .equalsSize, .constant, .binary,
      .contactSize, .amplitude, .resistive, .calibrated, .table, .units, .semiMT, .noDescription,
      .undescribed, .pressurePad, .unusableProfile:
      guard device.capability == .unknown, let step = device.nextStep else { return [] }
      return [
        Finding(
          .hint, "whether \(title) feels force is unknown: \(device.explanation)", step)
      ]
    }
  }

  private var palmFindings: [Finding] {
    guard let limit = palm?.limit, let pop = device.thresholds?.pop, Double(limit) < pop else {
      return []
    }
    return [
      Finding(
        .problem,
        "libinput takes a press above \(limit) on \(title) for a palm, and pop is at "
          + "\(decimal(pop)): the pointer stands still before that",
        "add these lines to \(LibinputQuirks.overrides), and log in again", lines: palm?.section)
    ]
  }

  private var evidenceFindings: [Finding] {
    // What is proven is in the device's reason already.
    guard device.capability != .unavailable, let pressure else { return [] }
    var signs: [String] = []
    if independence == .no { signs.append("goes with the size of the contact") }
    if let stuck = pressure.stuck, stuck > 0.5, independence != .notEnoughSeen {
      signs.append("mostly stays the same while the finger moves")
    }
    if pressure.wraps > 0 { signs.append("jumps over nearly its whole range") }
    guard !signs.isEmpty else { return [] }
    return [
      Finding(
        .hint,
        "the pressure of \(title) is hardly force: in use it " + signs.joined(separator: " and "),
        "report it with a recording")
    ]
  }
}
