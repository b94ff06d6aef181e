import ForceTouchModel
import ForceTouchRecognition

/// A scenario of previewing, read: what fingers and programs do, and what each context hears. The
/// format is described in `docs/previewing.md`.
struct PreviewScenario {
  struct Device {
    var name: String
    var kind: TouchKind
    var seat: String? = "seat0"
    /// What its clock shows at 0 ms.
    var clock: Int64 = 0
  }

  struct Input {
    var milliseconds: Int64
    var action: Action
  }

  enum Action {
    case wait
    /// What happens on a device in one frame.
    case frame(device: Int, [(contact: Int, verb: FingerVerb)])
    case cancel(device: Int, CancelReason)
    /// `unplug` cancels its contacts first, as the engine does; `vanish` leaves that to the arbiter.
    case remove(device: Int, cancelsFirst: Bool)
    case register(PreviewingContext)
    case context(Int, ContextVerb)
  }

  enum FingerVerb {
    case down
    case alreadyDown
    case up
    case lost
    case pressure(Double)
    /// In parts of the device.
    case at(x: Double, y: Double)
    case nowhere
    case tool(ContactTool)
    case button(isDown: Bool)
  }

  enum ContextVerb {
    case unregister
    case setActive(Bool)
    case setDormant(Bool)
    case claim(Int64)
    /// Without a number: the last question.
    case answer(Int?, PreviewAnswer)
  }

  /// One expected event.
  struct Expectation {
    /// Time, context and event, with what must be there exactly where it is expected.
    var text: String
    /// Compared where it is given.
    var details: Set<String>
    var isProgress: Bool
  }

  private(set) var title = ""
  private(set) var devices = [
    Device(name: "pad", kind: .trackpad), Device(name: "screen", kind: .touchscreen),
  ]
  /// By the number that is its ID.
  private(set) var contextNames: [String] = []
  private(set) var settings = PreviewSettings()
  private(set) var comparesProgress = false
  private(set) var inputs: [Input] = []
  private(set) var expected: [Expectation] = []

  /// - Parameter name: The file's, for what is wrong with it.
  init(_ text: String, name: String) throws(ScenarioProblem) {
    var isExpecting = false
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      if line.hasPrefix("#") {
        if title.isEmpty { title = String(line.drop { $0 == "#" || $0 == " " }) }
        continue
      }
      if line.allSatisfy(\.isWhitespace) { continue }
      do throws(ScenarioProblem) {
        if title.isEmpty { throw ScenarioProblem("the first line must be # and a title") }
        if line == "--" {
          isExpecting = true
        } else {
          var words = ScenarioWords(line)
          if isExpecting { try takeExpectation(&words) } else { try take(&words) }
          try words.finish()
        }
      } catch {
        throw ScenarioProblem("\(name):\(number): \(error)")
      }
    }
    if !isExpecting { throw ScenarioProblem("\(name):\(number): the line -- is missing") }
  }

  // MARK: Headers

  private mutating func take(_ words: inout ScenarioWords) throws(ScenarioProblem) {
    if words.startsWithTime { return try takeInput(&words) }
    let key = try words.word()
    switch key {
    case "device":
      var device = Device(name: try words.word(), kind: try words.choice(TouchKind.self))
      while !words.isEmpty {
        switch try words.word() {
        case "seat": device.seat = try words.word()
        case "no-seat": device.seat = nil
        case "clock": device.clock = try words.milliseconds()
        case let word: throw ScenarioProblem("\(word) is not known")
        }
      }
      devices.removeAll { $0.name == device.name }
      devices.append(device)
    case "context":
      let context = try takeContext(named: try words.word(), &words)
      inputs.append(Input(milliseconds: 0, action: .register(context)))
    case "setting": try takeSetting(&words)
    case "events":
      guard words.skip("all") else { throw ScenarioProblem("events can be all") }
      comparesProgress = true
    default: throw ScenarioProblem("\(key) is not known")
    }
  }

  private mutating func takeSetting(_ words: inout ScenarioWords) throws(ScenarioProblem) {
    switch try words.word() {
    case "question-timeout": settings.questionTimeout = .milliseconds(try words.milliseconds())
    case "total-timeout": settings.totalTimeout = .milliseconds(try words.milliseconds())
    case "silences": settings.silencesBeforeSuspension = try words.count()
    case "claim-window": settings.claimWindow = .milliseconds(try words.milliseconds())
    case "wrong-claims": settings.wrongClaims = try words.count()
    case "wrong-claim-recovery":
      settings.wrongClaimRecovery = .milliseconds(try words.milliseconds())
    case "peek-beside-other-contacts": settings.peeksBesideOtherContacts = true
    case let word: throw ScenarioProblem("\(word) is no setting")
    }
  }

  private mutating func takeContext(
    named name: String, _ words: inout ScenarioWords
  ) throws(ScenarioProblem) -> PreviewingContext {
    if contextNames.contains(name) { throw ScenarioProblem("there is a context \(name) already") }
    contextNames.append(name)
    var context = PreviewingContext(
      id: PreviewingContextID(rawValue: UInt64(contextNames.count - 1)),
      coverage: try Self.coverage(&words), seat: "seat0", user: 1000)
    while !words.isEmpty {
      switch try words.word() {
      case "active": context.isActive = true
      case "inactive": context.isActive = false
      case "dormant": context.isDormant = true
      case "on": context.device = DeviceID(rawValue: UInt32(try device(named: try words.word())))
      case "seat": context.seat = try words.word()
      case "every-seat": context.seat = nil
      case "user": context.user = UInt32(try words.count())
      case let word: throw ScenarioProblem("\(word) is not known")
      }
    }
    return context
  }

  private static func coverage(
    _ words: inout ScenarioWords
  ) throws(ScenarioProblem) -> PreviewingContext.Coverage {
    switch try words.word() {
    case "view":
      return .view(size: words.skip("size") ? try size(&words) : nil)
    case "region":
      let place = try words.numbers(2)
      let sides = try words.numbers(2, separator: "x")
      guard
        let region = ScreenRegion(x: place[0], y: place[1], width: sides[0], height: sides[1])
      else { throw ScenarioProblem("no region") }
      return .region(region, size: words.skip("size") ? try size(&words) : .unit)
    case "everything": return .everything(includingTouchscreens: words.skip("touchscreens"))
    case let word: throw ScenarioProblem("\(word) is no kind of context")
    }
  }

  private static func size(_ words: inout ScenarioWords) throws(ScenarioProblem) -> ViewSize {
    let sides = try words.numbers(2, separator: "x")
    guard let size = ViewSize(width: sides[0], height: sides[1]) else {
      throw ScenarioProblem("no size")
    }
    return size
  }

  private func device(named name: String) throws(ScenarioProblem) -> Int {
    guard let index = devices.firstIndex(where: { $0.name == name }) else {
      throw ScenarioProblem("there is no device \(name)")
    }
    return index
  }

  // MARK: What happens

  private mutating func takeInput(_ words: inout ScenarioWords) throws(ScenarioProblem) {
    let time = try words.milliseconds()
    if let last = inputs.last?.milliseconds, time < last {
      throw ScenarioProblem("\(time)ms comes after \(last)ms")
    }
    let name = try words.word()
    let action: Action
    if name == "wait" {
      action = .wait
    } else if let device = devices.firstIndex(where: { $0.name == name }) {
      if words.skip("cancel") {
        action = .cancel(device: device, try words.choice(CancelReason.self))
      } else if words.skip("unplug") {
        action = .remove(device: device, cancelsFirst: true)
      } else if words.skip("vanish") {
        action = .remove(device: device, cancelsFirst: false)
      } else {
        return try takeFinger(of: device, at: time, &words)
      }
    } else if words.skip("register") {
      action = .register(try takeContext(named: name, &words))
    } else if let context = contextNames.firstIndex(of: name) {
      action = .context(context, try Self.contextVerb(&words))
    } else {
      throw ScenarioProblem("\(name) is neither a device nor a context")
    }
    inputs.append(Input(milliseconds: time, action: action))
  }

  /// Lines of one device that follow each other at one time are one frame.
  private mutating func takeFinger(
    of device: Int, at time: Int64, _ words: inout ScenarioWords
  ) throws(ScenarioProblem) {
    var verbs: [(contact: Int, verb: FingerVerb)] = []
    if let last = inputs.last, last.milliseconds == time,
      case .frame(device, let earlier) = last.action
    {
      verbs = earlier
      inputs.removeLast()
    }
    let contact = try words.numberSign() ?? 1
    repeat {
      verbs.append((contact, try Self.fingerVerb(&words)))
    } while !words.isEmpty
    inputs.append(Input(milliseconds: time, action: .frame(device: device, verbs)))
  }

  private static func fingerVerb(
    _ words: inout ScenarioWords
  ) throws(ScenarioProblem) -> FingerVerb {
    switch try words.word() {
    case "down": return .down
    case "already-down": return .alreadyDown
    case "up": return .up
    case "lost": return .lost
    case "pressure": return .pressure(try words.number())
    case "at":
      let place = try words.numbers(2)
      return .at(x: place[0], y: place[1])
    case "nowhere": return .nowhere
    case "palm": return .tool(.palm)
    case "pen": return .tool(.other)
    case "button-down": return .button(isDown: true)
    case "button-up": return .button(isDown: false)
    case let word: throw ScenarioProblem("\(word) is not known")
    }
  }

  private static func contextVerb(
    _ words: inout ScenarioWords
  ) throws(ScenarioProblem) -> ContextVerb {
    switch try words.word() {
    case "unregister": return .unregister
    case "activate": return .setActive(true)
    case "deactivate": return .setActive(false)
    case "sleep": return .setDormant(true)
    case "wake": return .setDormant(false)
    case "claim": return .claim(try words.milliseconds())
    case "no": return .answer(try words.numberSign(), .decline)
    case "yes":
      let number = try words.numberSign()
      var rect: ViewRect?
      if words.skip("rect") {
        let numbers = try words.numbers(4)
        rect = ViewRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      }
      return .answer(
        number, .preview(sourceRect: rect, allowsPop: !words.skip("without-pop")))
    case let word: throw ScenarioProblem("\(word) is not known")
    }
  }

  // MARK: What is expected

  private mutating func takeExpectation(_ words: inout ScenarioWords) throws(ScenarioProblem) {
    let time = try words.milliseconds()
    let name = try words.word()
    guard contextNames.contains(name) else { throw ScenarioProblem("\(name) is no context") }
    let event = try words.word()
    guard Self.events.contains(event) else { throw ScenarioProblem("\(event) is no event") }
    var text = "\(time)ms \(name) \(event)"
    let isProgress = event == "peekProgress" || event == "popProgress"
    if isProgress {
      guard comparesProgress else { throw ScenarioProblem("\(event) needs events all") }
      text += " \(try words.number().inHundredths)"
    }
    var details: Set<String> = []
    while !words.isEmpty {
      if let number = try words.numberSign() {
        details.insert("#\(number)")
        continue
      }
      switch try words.word() {
      case "at":
        let place = try words.numbers(2)
        text += " at \(place[0].inHundredths),\(place[1].inHundredths)"
      case "claimed": text += " claimed \(try words.milliseconds())ms"
      case "timeout": details.insert("timeout \(try words.milliseconds())ms")
      case "pressed": details.insert("pressed \(try words.milliseconds())ms")
      case let word: throw ScenarioProblem("\(word) is not known")
      }
    }
    expected.append(Expectation(text: text, details: details, isProgress: isProgress))
  }

  private static let events: Set<String> =
    Set([
      "question", "peekProgress", "peek", "popProgress", "pop", "peekEnded",
      "refused(interactionOver)", "refused(noSuchInteraction)", "refused(invalidSourceRect)",
      "refused(noSuchContext)", "refused(contextDormant)", "refused(noSuchContact)",
      "refused(ownedByAnother)", "refused(tooLate)", "refused(tooManyWrongClaims)",
    ]).union(PreviewCancelReason.allCases.map { "peekCancelled(\($0.rawValue))" })
}

extension Double {
  /// With two decimals, without Foundation's formats.
  var inHundredths: String {
    guard isFinite, magnitude < 1e9 else { return "\(self)" }
    let hundredths = Int((self * 100).rounded())
    let cents = hundredths.magnitude % 100
    return (hundredths < 0 ? "-" : "") + "\(hundredths.magnitude / 100)."
      + (cents < 10 ? "0" : "") + "\(cents)"
  }
}
