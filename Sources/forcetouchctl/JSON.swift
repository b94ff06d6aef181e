import FoundationEssentials

/// The bytes of one object, on one line.
func encode(_ value: some Encodable) throws(CommandError) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  do {
    return Array(try encoder.encode(value))
  } catch {
    throw .failed("cannot print \(type(of: value)) as JSON")
  }
}
