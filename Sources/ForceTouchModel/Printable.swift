extension String {
  /// A space for every character that is not seen: control characters, which move a terminal's
  /// cursor, those that turn the direction of writing, and code points that are no characters.
  /// Names come from devices and from files, which may hold anything.
  public var printable: String {
    let scalars = unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
        .unassigned:
        Unicode.Scalar(" ")
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
