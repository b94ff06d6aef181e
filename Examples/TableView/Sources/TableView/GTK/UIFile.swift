import CGTK

/// A `.ui` file, compiled into the program: GTK's counterpart of a XIB or a storyboard.
struct UIFile {
  let name: String
  let content: [UInt8]

  static let window = UIFile(name: "window.ui", content: PackageResources.window_ui)
  static let row = UIFile(name: "row.ui", content: PackageResources.row_ui)
  static let place = UIFile(name: "place.ui", content: PackageResources.place_ui)
  static let cards = UIFile(name: "cards.ui", content: PackageResources.cards_ui)

  /// Makes everything that is in the file, anew each time.
  func load() throws(UIFileError) -> UIObjects {
    let objects = UIObjects(of: self)
    try objects.add { builder, text, length, error in
      gtk_builder_add_from_string(builder, text, length, error)
    }
    return objects
  }

  /// Makes one object out of several, and what is in it.
  func load(_ identifier: String) throws(UIFileError) -> UIObjects {
    let objects = UIObjects(of: self)
    try objects.add { builder, text, length, error in
      identifier.withCString { identifier in
        var identifiers: [UnsafePointer<CChar>?] = [identifier, nil]
        return gtk_builder_add_objects_from_string(builder, text, length, &identifiers, error)
      }
    }
    // GTK makes nothing, and says nothing, where there is no such object.
    guard objects.has(identifier) else {
      throw .noSuchObject(identifier, file: name, there: try load().identifiers)
    }
    return objects
  }
}

/// Objects that were made from a `.ui` file.
final class UIObjects {
  private let file: UIFile
  private let builder: OpaquePointer

  fileprivate init(of file: UIFile) {
    self.file = file
    builder = gtk_builder_new()
  }

  isolated deinit { g_object_unref(builder.raw) }

  /// The widget with this identifier (an outlet, in UIKit's words), if it is of this class.
  ///
  /// - Parameter type: A class of GTK, such as `gtk_label_get_type()`.
  func widget(
    _ identifier: String, _ type: GType = gtk_widget_get_type()
  ) throws(UIFileError) -> Widget {
    guard let object = gtk_builder_get_object(builder, identifier) else {
      throw .noSuchObject(identifier, file: file.name, there: identifiers)
    }
    guard g_type_check_instance_is_a(object.cast(), type) != 0 else {
      throw .wrongClass(
        identifier, file: file.name, found: object.className,
        wanted: String(cString: g_type_name(type)))
    }
    return object.cast()
  }

  fileprivate func has(_ identifier: String) -> Bool {
    gtk_builder_get_object(builder, identifier) != nil
  }

  /// All identifiers, sorted.
  fileprivate var identifiers: [String] {
    let objects = gtk_builder_get_objects(builder)
    defer { g_slist_free(objects) }
    return sequence(first: objects, next: { $0?.pointee.next })
      .compactMap { $0?.pointee.data.flatMap { gtk_buildable_get_buildable_id(OpaquePointer($0)) } }
      .map { String(cString: $0) }
      .filter { !$0.hasPrefix("___") }  // those without one get a name like this
      .sorted()
  }

  fileprivate typealias ErrorPointer = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

  fileprivate func add(
    _ parse: (OpaquePointer, UnsafePointer<CChar>, gssize, ErrorPointer) -> gboolean
  ) throws(UIFileError) {
    var error: UnsafeMutablePointer<GError>?
    let isRead = file.content.withUnsafeBytes { bytes in
      parse(builder, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count, &error)
    }
    guard isRead == 0, let error else { return }
    defer { g_error_free(error) }
    throw .unreadable(file: file.name, reason: String(cString: error.pointee.message))
  }
}

/// What is wrong with a `.ui` file, or with what the program thinks is in it. The compiler cannot
/// know; so it is said in a sentence instead of a crash at the first use.
enum UIFileError: Error, Equatable, CustomStringConvertible {
  case unreadable(file: String, reason: String)
  case noSuchObject(String, file: String, there: [String])
  case wrongClass(String, file: String, found: String, wanted: String)

  var description: String {
    switch self {
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)"
    case .noSuchObject(let identifier, let file, let there):
      "\(file) has no object '\(identifier)'; it has \(there.joined(separator: ", "))"
    case .wrongClass(let identifier, let file, let found, let wanted):
      "'\(identifier)' in \(file) is a \(found), not a \(wanted)"
    }
  }
}
