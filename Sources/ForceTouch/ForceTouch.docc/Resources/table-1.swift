import ForceTouch

/// What matters to previews of a table of messages.
final class MessageTable: SourceView {
  struct Message {
    var text: String
    var isLocked = false
  }

  let rowHeight = 40.0
  var messages = [
    Message(text: "Lunch?"), Message(text: "Minutes of Monday"),
    Message(text: "Sealed until Friday", isLocked: true),
  ]

  var size: ViewSize? {
    ViewSize(width: 320, height: rowHeight * Double(messages.count))
  }

  func row(at location: ViewPoint) -> Int? {
    let row = Int(location.y / rowHeight)
    return messages.indices.contains(row) ? row : nil
  }

  func rect(of row: Int) -> ViewRect {
    ViewRect(x: 0, y: Double(row) * rowHeight, width: 320, height: rowHeight)
  }
}
