import CGTK

/// A pointer to an object of GTK. To Swift, C's pointers to a widget, a window or a label are of
/// different types, some of them opaque; to GTK they are one object.
protocol GObject {
  var raw: UnsafeMutableRawPointer { get }
}

extension UnsafeMutablePointer: @MainActor GObject {
  var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension OpaquePointer: @MainActor GObject {
  var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

typealias Widget = UnsafeMutablePointer<GtkWidget>

extension GObject {
  /// The same object, as what another function wants it. Not checked, as in C without its macros.
  func cast<Pointee>(to type: Pointee.Type = Pointee.self) -> UnsafeMutablePointer<Pointee> {
    raw.assumingMemoryBound(to: type)
  }

  /// The same object, for the functions of types that GTK does not disclose, such as `GtkLabel`.
  var opaque: OpaquePointer { OpaquePointer(raw) }

  var className: String {
    String(cString: g_type_name_from_instance(raw.assumingMemoryBound(to: GTypeInstance.self)))
  }
}
