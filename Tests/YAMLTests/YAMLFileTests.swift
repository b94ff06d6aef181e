import Glibc
import Testing
import YAML

@Suite("A YAML file")
struct YAMLFileTests {
  /// Gives `body` a file with this content.
  private func withFile(
    _ content: String, _ body: (_ path: String) throws -> Void
  ) throws {
    var template = Array("/tmp/yaml-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    var rest = Array(content.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      try #require(count > 0)
      rest = rest.dropFirst(count)
    }
    close(descriptor)
    try body(path)
  }

  @Test("is read whole, and its marks carry its path")
  func reading() throws {
    try withFile("a: 1\n") { path in
      let document = try #require(try YAMLNode(contentsOf: path))
      #expect(document["a"]?.mark == YAMLMark(file: path, line: 1, column: 4))
    }
  }

  @Test("that is missing or a folder is named, with the reason")
  func unreadable() {
    #expect(throws: YAMLError("cannot read /nowhere/x.yaml: No such file or directory", at: nil)) {
      try YAMLNode(contentsOf: "/nowhere/x.yaml")
    }
    #expect(throws: YAMLError("cannot read /tmp: Is a directory", at: nil)) {
      try YAMLNode(contentsOf: "/tmp")
    }
  }

  @Test("that is a pipe is refused, and nobody waits for who might write into it")
  func pipe() throws {
    let path = "/tmp/yaml-test-pipe-\(getpid())"
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    #expect(throws: YAMLError("cannot read \(path): it is a pipe", at: nil)) {
      try YAMLNode(contentsOf: path)
    }
  }

  @Test("that is too large is refused, and never read to its end")
  func tooLarge() throws {
    try withFile(String(repeating: "# a comment\n", count: 400_000)) { path in
      #expect(throws: YAMLError("\(path) is larger than 4 MB", at: nil)) {
        try YAMLNode(contentsOf: path)
      }
    }
    #expect(throws: YAMLError("/dev/zero is larger than 4 MB", at: nil)) {
      try YAMLNode(contentsOf: "/dev/zero")
    }
  }
}
