import CGTK

/// What there is to see of an item: beside its row while it is previewed, and in the window once it
/// is opened. In UIKit this would be a view controller.
///
/// Each kind of page is made in one of the three ways that UIKit knows.
protocol Page {
  var view: PageView { get }
}

extension Item {
  func makePage() throws(UIFileError) -> any Page {
    switch kind {
    case .letter: LetterPage(of: self)
    case .place: try PlacePage(of: self)
    case .person: try CardPage(of: self, identifier: "person")
    case .gift: try CardPage(of: self, identifier: "gift")
    }
  }
}

/// Keeps a page's widget, wherever it is shown, and between.
final class PageView {
  let widget: Widget

  init(_ widget: Widget) {
    self.widget = widget
    g_object_ref_sink(widget)
  }

  isolated deinit { g_object_unref(widget) }
}
