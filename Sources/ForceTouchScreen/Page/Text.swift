import ForceTouchModel

/// A bar as long as a part of its width; what is not from 0 to 1 is taken for the nearer of them.
public func bar(_ part: Double, width: Int) -> String {
  let eighths = Int((clampToUnit(part) * Double(width) * 8).rounded())
  let rest = eighths % 8
  return String(repeating: "█", count: eighths / 8)
    + (rest > 0 ? ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest] : "")
}

/// A part of a cell's height, in eighths of it.
func column(_ eighths: Int) -> Unicode.Scalar {
  [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][min(8, max(0, eighths))]
}

/// A number with so many decimals, so that it keeps its width while it changes.
func fixed(_ value: Double, _ decimals: Int) -> String {
  guard value.isFinite, value.magnitude < 1e12 else { return "?" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = Int64((value.magnitude * scale).rounded())
  let digits = String(scaled)
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard decimals > 0 else { return sign + padded }
  return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}

/// Spaces before a text, or behind it, to make it so wide.
func right(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.columns)) + text
}
func left(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.columns))
}
