/// What the table lists.
struct Item {
  enum Kind {
    case letter, place, person, gift
  }

  let kind: Kind
  let title: String
  let subtitle: String
  let text: String

  var icon: String {
    switch kind {
    case .letter: "mail-unread-symbolic"
    case .place: "mark-location-symbolic"
    case .person: "avatar-default-symbolic"
    case .gift: "starred-symbolic"
    }
  }

  /// Whether there is more to it than the preview.
  var opens: Bool { kind != .gift }

  static let all = [
    Item(
      kind: .letter, title: "Ada Lovelace", subtitle: "About the engine",
      text: """
        The engine weaves algebraic patterns just as the loom weaves flowers and leaves. \
        I have written down how; come and read it.
        """),
    Item(
      kind: .place, title: "Sognefjord", subtitle: "61.1° N, 6.8° E",
      text: "Two hundred kilometers of still water between mountains."),
    Item(
      kind: .person, title: "Grace Hopper", subtitle: "Made the first compilers",
      text: "Keeps a nanosecond of wire on her desk, and gives them away."),
    Item(
      kind: .gift, title: "A parcel", subtitle: "Not before Friday",
      text: "You may press and guess. It will not open."),
    Item(
      kind: .letter, title: "Konrad Zuse", subtitle: "From the living room",
      text: "It calculates. My parents would like their table back."),
    Item(
      kind: .place, title: "Skye", subtitle: "57.3° N, 6.2° W",
      text: "An island of wind, rock and rainbows."),
  ]
}
