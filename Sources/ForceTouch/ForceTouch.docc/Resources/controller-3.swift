import ForceTouch

final class MessageController: PreviewingDelegate {
  let table = MessageTable()
  private let client: ForceTouchClient
  private var previewing: PreviewingContext?

  init(client: ForceTouchClient) {
    self.client = client
    previewing = client.registerForPreviewing(with: self, sourceView: table)
  }

  func previewingContext(
    _ context: PreviewingContext, previewForLocation location: ViewPoint
  ) -> MessagePreview? {
    guard let row = table.row(at: location) else { return nil }
    context.sourceRect = table.rect(of: row)
    return MessagePreview(text: table.messages[row].text)
  }

  func previewingContext(_ context: PreviewingContext, present preview: MessagePreview) {
    print("shown beside the row: \(preview.text)")
  }

  func previewingContext(_ context: PreviewingContext, dismiss preview: MessagePreview) {
    print("taken away: \(preview.text)")
  }

  func previewingContext(_ context: PreviewingContext, commit preview: MessagePreview) {
    print("opened: \(preview.text)")
  }
}

/// A window, a popover, a card: whatever your toolkit shows beside a row.
struct MessagePreview {
  var text: String
}
