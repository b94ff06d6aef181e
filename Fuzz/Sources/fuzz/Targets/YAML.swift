import YAML

/// YAML: a tree whose every node has a place in the text, or an error that has one; and any text in
/// our quotes is read back the same.
func fuzzYAML(_ bytes: [UInt8]) {
  do throws(YAMLError) {
    if let node = try YAMLNode(file: "file", bytes: bytes) { walk(node, lines: lineCount(bytes)) }
  } catch {
    checkProblem(error.description, path: "file")
  }
  guard let text = String(validating: bytes, as: UTF8.self) else { return }
  let quoted = YAMLNode.quoted(text)
  do throws(YAMLError) {
    let again = try YAMLNode(file: "file", bytes: Array(quoted.utf8))?.string()
    check(again == text, "\(text.debugDescription) is read back as \(again.debugDescription)")
  } catch {
    fail("\(quoted) is not read back: \(error)")
  }
}

private func lineCount(_ bytes: [UInt8]) -> Int {
  // YAML ends lines at LF, CR, NEL, LS and PS. An empty value at the end stands behind the last.
  bytes.count { $0 == 0x0a || $0 == 0x0d || $0 == 0x85 || $0 == 0xa8 || $0 == 0xa9 } + 2
}

private func walk(_ node: YAMLNode, lines: Int) {
  check((1...lines).contains(node.mark.line), "\(node.mark) lies outside")
  switch node.content {
  case .scalar:
    if let value = try? node.integer() {
      check((try? node.number()) == Double(value), "\(value) is an integer and no number")
    }
    if let value = try? node.number() { check(value.isFinite, "\(value) is not finite") }
    _ = try? node.boolean()
  case .sequence(let nodes): for node in nodes { walk(node, lines: lines) }
  case .mapping(let entries):
    check(Set(entries.map(\.key)).count == entries.count, "a key stands there twice")
    for entry in entries {
      check(node[entry.key] == entry.value, "\(entry.key) is not found")
      walk(entry.value, lines: lines)
    }
  }
}
