import ForceTouchModel
import ForceTouchRecognition

/// The rules of `docs/previewing.md`, told a second time: it keeps plain facts of fingers and
/// contexts, and holds what the arbiter says after each input against all of them. A finger is
/// recognized in what contexts hear by its number in `force.grams`.
struct PreviewRules {
  struct Finger {
    var number: Int32
    var device: PreviewDevice
    var heard: Timestamp
    var touchTime: UInt32?
    var position: Position?
    var peekProgress = 0.0
    var popProgress = 0.0
    var isArmed = false
    var hasFailed = false
    var peekedAt: Timestamp?
    var poppedAt: Timestamp?

    var claimant: PreviewingContextID?
    var asked: [PreviewingContextID] = []
    /// How long it waited for answers that are no more awaited, in microseconds.
    var waited: Int64 = 0
    var open: Conversation?
    var isMissed = false
    var isOver = false { didSet { if isOver { claimant = nil } } }
  }

  struct Conversation {
    var context: PreviewingContextID
    var since: Timestamp
    var until: Timestamp
    /// nil: not answered yet.
    var allowsPop: Bool?
    var hasPeek = false
    var progress = 0.0
  }

  struct Context {
    var context: PreviewingContext
    var order: Int
    var silences = 0
    var questions: UInt64 = 0
  }

  let settings: PreviewSettings
  /// The arbiter is told of each deadline when it comes, not later.
  let isPunctual: Bool
  var fingers: [Finger] = []
  var contexts: [Context] = []
  private var lastOrder = 0
  /// How much of the wrong claims is not recovered, in microseconds, as of a time.
  private var guesses: [UInt32: (level: Int64, at: Timestamp)] = [:]
  private(set) var problems: [String] = []
  /// What was seen, so that a test can tell whether it tested anything.
  private(set) var seen: [String: Int] = [:]

  init(settings: PreviewSettings, isPunctual: Bool) {
    self.settings = settings
    self.isPunctual = isPunctual
  }

  // MARK: Facts

  mutating func see(_ what: String) { seen[what, default: 0] += 1 }

  private mutating func problem(_ text: String) { problems.append(text) }

  func index(of context: PreviewingContextID) -> Int? {
    contexts.firstIndex { $0.context.id == context }
  }

  mutating func register(_ context: PreviewingContext) {
    lastOrder += 1
    contexts.append(Context(context: context, order: lastOrder))
  }

  mutating func unregister(_ context: PreviewingContextID, at now: Timestamp) {
    contexts.removeAll { $0.context.id == context }
    for index in fingers.indices {
      if fingers[index].claimant == context { fingers[index].claimant = nil }
      // A question goes on to the next; what was accepted is over.
      if let open = fingers[index].open, open.context == context, open.allowsPop == nil {
        fingers[index].waited += (now - open.since).microseconds
        closing[fingers[index].number] = .goesOn
      }
    }
  }

  mutating func setActive(_ isActive: Bool, _ context: PreviewingContextID) {
    guard let index = index(of: context) else { return }
    contexts[index].silences = 0
    if isActive && !contexts[index].context.isActive {
      lastOrder += 1
      contexts[index].order = lastOrder
    }
    contexts[index].context.isActive = isActive
  }

  mutating func setDormant(_ isDormant: Bool, _ context: PreviewingContextID) {
    guard let index = index(of: context) else { return }
    contexts[index].context.isDormant = isDormant
    guard isDormant else { return }
    for index in fingers.indices where fingers[index].claimant == context {
      fingers[index].claimant = nil
    }
  }

  mutating func endSilences(at now: Timestamp) {
    for index in fingers.indices {
      guard let open = fingers[index].open, open.allowsPop == nil, open.until <= now else {
        continue
      }
      see("silence")
      fingers[index].waited += (now - open.since).microseconds
      if fingers[index].claimant == open.context { fingers[index].claimant = nil }
      fingers[index].open = nil
      if open.until - open.since == settings.questionTimeout,
        let context = self.index(of: open.context)
      {
        contexts[context].silences += 1
        if contexts[context].silences == settings.silencesBeforeSuspension { see("suspension") }
      }
    }
  }

  // MARK: Answers

  /// What an answer must give.
  func refusal(
    of interaction: InteractionID, _ context: PreviewingContextID, _ answer: PreviewAnswer
  ) -> AnswerError? {
    guard let known = index(of: context) else { return .noSuchContext }
    guard (1...max(1, contexts[known].questions)).contains(interaction.rawValue),
      contexts[known].questions > 0
    else { return .noSuchInteraction }
    guard fingers.contains(where: { $0.open?.context == context && $0.open?.allowsPop == nil }),
      interaction.rawValue == contexts[known].questions
    else { return .interactionOver }
    if case .preview(let rect?, _) = answer, !rect.isValid { return .invalidSourceRect }
    return nil
  }

  mutating func hear(from context: PreviewingContextID) {
    if let index = index(of: context) { contexts[index].silences = 0 }
  }

  mutating func accept(
    _ answer: PreviewAnswer, of context: PreviewingContextID, at now: Timestamp
  ) {
    guard let index = fingers.firstIndex(where: { $0.open?.context == context }),
      let open = fingers[index].open
    else { return problem("an answer of \(context) to nothing was accepted") }
    switch answer {
    case .decline:
      see("no")
      fingers[index].waited += (now - open.since).microseconds
      if fingers[index].claimant == context { fingers[index].claimant = nil }
      fingers[index].open = nil
    case .preview(_, let allowsPop):
      see(fingers[index].peekedAt == nil ? "yes" : "late yes")
      fingers[index].open?.allowsPop = allowsPop
    }
  }

  // MARK: Claims

  /// What a claim must give: a finger, or an error.
  mutating func claim(
    _ time: UInt32, by id: PreviewingContextID, at now: Timestamp
  ) -> ClaimError? {
    guard let context = contexts.first(where: { $0.context.id == id })?.context else {
      return .noSuchContext
    }
    hear(from: id)
    if context.isDormant { return .contextDormant }
    let recovery = settings.wrongClaimRecovery.microseconds
    let before = guesses[context.user] ?? (0, now)
    let level = max(0, before.level - (now - before.at).microseconds)
    if level > Int64(settings.wrongClaims - 1) * recovery { return .tooManyWrongClaims }
    let candidates = fingers.indices.filter {
      fingers[$0].touchTime == time && fingers[$0].device.kind == .touchscreen
        && isBusiness(context, fingers[$0].device)
    }
    let errors = candidates.map { refusal(of: id, fingers[$0], at: now) }
    if let free = zip(candidates, errors).first(where: { $0.1 == nil })?.0 {
      // One that it has is claimed again only when there is no other.
      let own = fingers[free].claimant == id
      let other = zip(candidates, errors).first {
        $0.1 == nil && fingers[$0.0].claimant != id
      }?.0
      fingers[own ? other ?? free : free].claimant = id
      return nil
    }
    guesses[context.user] = (level + recovery, now)
    return (errors.first ?? .noSuchContact) ?? .noSuchContact
  }

  private func refusal(
    of context: PreviewingContextID, _ finger: Finger, at now: Timestamp
  ) -> ClaimError? {
    if finger.claimant == context { return nil }
    if finger.claimant != nil { return .ownedByAnother }
    if let open = finger.open, open.allowsPop != nil, open.context != context {
      return .ownedByAnother
    }
    let isLate = (now - finger.heard) > settings.claimWindow
    let isUsedUp = finger.waited >= settings.totalTimeout.microseconds
    return finger.isOver || isLate || isUsedUp || finger.asked.contains(context) ? .tooLate : nil
  }

  // MARK: Questions

  private func isBusiness(_ context: PreviewingContext, _ device: PreviewDevice) -> Bool {
    if let only = context.device, only != device.id { return false }
    if let seat = context.seat, seat != device.seat { return false }
    switch context.coverage {
    case .view: return true
    case .region: return device.kind == .touchscreen
    case .everything(let screens): return screens || device.kind == .trackpad
    }
  }

  private func wantsQuestion(_ finger: Finger) -> Bool {
    guard finger.open == nil, !finger.isOver else { return false }
    guard finger.waited < settings.totalTimeout.microseconds else { return false }
    return finger.peekedAt != nil || (finger.isArmed && finger.peekProgress > 0)
  }

  /// Who may be asked, the first first.
  private func candidates(for finger: Finger) -> [Context] {
    var groups: [[Context]] = [[], [], []]
    for context in contexts {
      let id = context.context.id
      guard !context.context.isDormant, context.silences < settings.silencesBeforeSuspension,
        isBusiness(context.context, finger.device), !finger.asked.contains(id),
        !fingers.contains(where: { $0.open?.context == id })
      else { continue }
      if finger.claimant == id {
        groups[0].append(context)
      } else if context.context.isActive && !finger.isMissed {
        switch context.context.coverage {
        case .view: if finger.device.kind == .trackpad { groups[1].append(context) }
        case .region(let region, _):
          if let position = finger.position,
            region.contains(
              ScreenPoint(x: Double(position.x) / 4000, y: Double(position.y) / 4000))
          {
            groups[1].append(context)
          }
        case .everything: groups[2].append(context)
        }
      }
    }
    func area(_ context: Context) -> Double {
      if case .region(let region, _) = context.context.coverage { region.area } else { 0 }
    }
    return groups.flatMap { group in
      group.sorted { (area($0), -$0.order) < (area($1), -$1.order) }
    }
  }

  // MARK: What was said

  private enum Closing { case goesOn }
  /// Questions that are closed by this input and go on to the next context.
  private var closing: [Int32: Closing] = [:]
  /// Fingers that left in this input: what is said of them is held against how they were.
  var gone: [Finger] = []

  /// Takes what the arbiter said after one input.
  /// - Parameter reasons: Why it may cancel.
  mutating func take(
    _ events: [PreviewEvent], at now: Timestamp, reasons: Set<PreviewCancelReason>
  ) {
    for event in events { take(event, at: now, reasons: reasons) }
    for finger in gone where finger.open != nil { problem("\(finger.number) was not closed") }
    gone.removeAll(keepingCapacity: true)
    closing.removeAll(keepingCapacity: true)
    for index in fingers.indices { check(index, at: now) }
  }

  private mutating func take(
    _ event: PreviewEvent, at now: Timestamp, reasons: Set<PreviewCancelReason>
  ) {
    guard let number = event.force?.grams?.value else { return problem("\(event): of nobody") }
    if let index = gone.firstIndex(where: { $0.number == Int32(number) }) {
      var finger = gone[index]
      take(event, of: &finger, isGone: true, at: now, reasons: reasons)
      gone[index] = finger
    } else if let index = fingers.firstIndex(where: { $0.number == Int32(number) }) {
      var finger = fingers[index]
      take(event, of: &finger, isGone: false, at: now, reasons: reasons)
      fingers[index] = finger
    } else {
      problem("\(event): of a finger that is not there")
    }
  }

  private mutating func take(
    _ event: PreviewEvent, of finger: inout Finger, isGone: Bool, at now: Timestamp,
    reasons: Set<PreviewCancelReason>
  ) {
    if event.device != finger.device.id { problem("\(event): another device") }
    guard let open = finger.open else {
      guard case .question(let timeout, let claimed) = event.kind else {
        return problem("\(event): nothing is open")
      }
      return takeQuestion(event, of: &finger, timeout, claimed, isGone: isGone, at: now)
    }
    if open.context != event.context { problem("\(event): \(open.context) owns it") }
    switch event.kind {
    case .question: problem("\(event): \(open.context) has it")
    case .peekProgress(let progress):
      if open.allowsPop == nil || open.hasPeek { problem("\(event): too early or late") }
      if open.progress == progress && event.location == nil { problem("\(event): nothing new") }
      finger.open?.progress = progress
    case .peek:
      see("peek")
      if open.allowsPop == nil || open.hasPeek { problem("\(event): too early or twice") }
      if finger.peekedAt != event.time { problem("\(event): pressed when?") }
      finger.open?.hasPeek = true
      finger.open?.progress = 0
    case .popProgress(let progress):
      if open.allowsPop != true || !open.hasPeek { problem("\(event): not allowed") }
      if open.progress == progress && event.location == nil { problem("\(event): nothing new") }
      finger.open?.progress = progress
    case .pop:
      see("pop")
      if open.allowsPop != true || !open.hasPeek { problem("\(event): not allowed") }
      if finger.poppedAt != event.time { problem("\(event): pressed when?") }
      finger.open = nil
      finger.isOver = true
    case .peekEnded:
      see("peekEnded")
      if !open.hasPeek || !reasons.contains(.lifted) { problem("\(event): nothing lifted") }
      finger.open = nil
      finger.isOver = true
    case .peekCancelled(let reason):
      see(reason.rawValue)
      if !reasons.contains(reason) { problem("\(event): why?") }
      if reason == .lifted && open.hasPeek { problem("\(event): peekEnded it should be") }
      finger.open = nil
      if closing[finger.number] != .goesOn { finger.isOver = true }
    }
  }

  private mutating func takeQuestion(
    _ event: PreviewEvent, of finger: inout Finger, _ timeout: Interval, _ claimed: UInt32?,
    isGone: Bool, at now: Timestamp
  ) {
    see("question")
    if isGone { problem("\(event): the finger is gone") }
    if !wantsQuestion(finger) { problem("\(event): not to be asked") }
    let candidates = candidates(for: finger)
    if candidates.first?.context.id != event.context {
      problem("\(event): it was \(candidates.first?.context.id as Any)'s turn")
    }
    let left = settings.totalTimeout.microseconds - finger.waited
    if timeout.microseconds != min(settings.questionTimeout.microseconds, left) {
      problem("\(event): timeout")
    }
    let isClaim = finger.claimant == event.context
    if isClaim { see("claimed question") }
    if !finger.asked.isEmpty { see("next question") }
    if claimed != (isClaim ? finger.touchTime : nil) { problem("\(event): claimed") }
    finger.asked.append(event.context)
    finger.open = Conversation(context: event.context, since: now, until: now + timeout)
    guard let index = index(of: event.context) else { return }
    contexts[index].questions += 1
    if contexts[index].questions != event.interaction.rawValue { problem("\(event): number") }
    let mayKnowPlace: Bool =
      switch contexts[index].context.coverage {
      case .view: false
      case .region: true
      case .everything(let screens): screens && finger.device.kind == .touchscreen
      }
    if (event.location != nil) != (mayKnowPlace && finger.position != nil) {
      problem("\(event): location")
    }
  }

  /// What must hold of every finger after every input.
  private mutating func check(_ index: Int, at now: Timestamp) {
    let finger = fingers[index]
    if isPunctual && finger.waited > settings.totalTimeout.microseconds {
      problem("\(finger.number): waits too long")
    }
    if wantsQuestion(finger) {
      if let first = candidates(for: finger).first {
        problem("\(finger.number): \(first.context.id) was not asked")
      }
      if finger.peekedAt != nil && !finger.isMissed {
        see("missed")
        fingers[index].isMissed = true
      }
    }
    guard let open = finger.open else { return }
    if finger.isOver { problem("\(finger.number): open, but over") }
    if open.allowsPop == nil && open.until <= now { problem("\(finger.number): overdue") }
    guard let context = self.index(of: open.context) else {
      return problem("\(finger.number): its context is gone")
    }
    if contexts[context].context.isDormant { problem("\(finger.number): its context sleeps") }
    guard let allowsPop = open.allowsPop else { return }
    if (finger.peekedAt != nil) != open.hasPeek { problem("\(finger.number): peek not told") }
    if finger.poppedAt != nil && allowsPop { problem("\(finger.number): pop not told") }
    let progress =
      !open.hasPeek
      ? finger.peekProgress : allowsPop && !finger.hasFailed ? finger.popProgress : 0
    if open.progress != progress {
      problem("\(finger.number): told \(open.progress), not \(progress)")
    }
  }
}
