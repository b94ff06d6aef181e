import CGTK
import ForceTouch

// What an iOS program writes to get peek and pop, and what UIKit does for it: show and take away.
extension TableController: @MainActor PreviewingDelegate {
  /// A preview, and the row that it is of.
  struct Preview {
    let row: Row
    let page: any Page
  }

  func previewingContext(
    _ context: PreviewingContext, previewForLocation location: ViewPoint
  ) -> Preview? {
    guard let row = table.row(at: location), let page = makePage(of: row.index) else { return nil }
    context.sourceRect = row.rect
    return Preview(row: row, page: page)
  }

  func previewingContext(_ context: PreviewingContext, present preview: Preview) {
    peek(preview)
  }

  func previewingContext(_ context: PreviewingContext, commit preview: Preview) {
    endPeek()
    // Only here is it known that somebody wants to open it, and here it may be refused. Who sets
    // `context.allowsPop = false` in the question instead hears of no pop: the preview stays then.
    guard items[preview.row.index].opens else { return }
    open(preview.page)
  }

  func previewingContext(_ context: PreviewingContext, dismiss preview: Preview) {
    endPeek()
  }

  func previewingContext(_ context: PreviewingContext, didFailWith error: ForceTouchError) {
    complain(error)
  }
}

extension TableController: @MainActor ForceTouchClientDelegate {
  func forceTouchClient(
    _ client: ForceTouchClient, capabilityDidChangeFrom previous: ForceTouchCapability
  ) {
    showHint()
  }
}
