/// What a cell is, not how it looks: that is the terminal's, by the colors it has. What matters is said
/// in words or shapes as well.
public enum Style: Int, CaseIterable, Sendable {
  case plain
  /// What may be overlooked: frames, scales, units.
  case faint
  case heading
  /// The bars at the top and the bottom.
  case bar
  /// The name of a key, and what keys brought about.
  case key
  /// A contact that is no peek, a peek, a pop: filled areas.
  case touch
  case peek
  case pop
  /// Their words.
  case touchTag
  case peekTag
  case popTag
  /// Something is not as it should be.
  case warning
}
