import Foundation
import Testing

/// Who may import whom. The package manifest and the compiler refuse undeclared siblings; this
/// holds the rest of the table: no Foundation where there should be none, C libraries only in
/// their rooms.
@Suite struct ImportTests {
  /// The table of `docs/architecture.md`. Glibc and Synchronization are allowed to all but the
  /// pure modules.
  static let rooms: [String: Set<String>] = [
    "YAML": ["CYAML"],
    "Varlink": ["CLinux", "FoundationEssentials"],
    "ForceTouchModel": [],
    "ForceTouchRecognition": ["ForceTouchModel"],
    "ForceTouchDevices": ["ForceTouchModel", "YAML", "CEvdev", "CUdev"],
    "ForceTouchRecordings": ["ForceTouchModel", "YAML"],
    "ForceTouchEngine": [
      "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices", "ForceTouchSettings", "YAML",
    ],
    "ForceTouch": ["ForceTouchModel", "ForceTouchProtocol", "Varlink", "FoundationEssentials"],
    "ForceTouchProtocol": ["ForceTouchModel", "Varlink", "FoundationEssentials"],
    "ForceTouchSettings": ["ForceTouchModel", "ForceTouchRecognition", "YAML"],
    "ForceTouchActions": ["ForceTouchModel", "YAML"],
    "ForceTouchDoctor": ["ForceTouchModel", "ForceTouchProtocol", "CLinux"],
    "ForceTouchPlot": ["ForceTouchModel", "ForceTouchRecognition"],
    "ForceTouchScreen": [
      "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices", "ForceTouchSettings",
      "ForceTouchEngine", "ForceTouchProtocol",
    ],
    "ForceTouchDaemon": [
      "YAML", "Varlink", "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices",
      "ForceTouchRecordings", "ForceTouchEngine", "ForceTouchProtocol", "ForceTouchSettings",
      "CLinux", "CSystemd", "FoundationEssentials",
    ],
    "forcetouchd": ["ForceTouchDaemon", "FoundationEssentials"],
    "forcetouchctl": [
      "ForceTouch", "ForceTouchProtocol", "Varlink", "ForceTouchModel", "YAML",
      "ForceTouchSettings", "ForceTouchActions", "ForceTouchDoctor", "ForceTouchPlot",
      "ForceTouchScreen",
      "ForceTouchEngine", "ForceTouchRecognition", "ForceTouchDevices", "ForceTouchRecordings",
      "CSystemd", "CCairo", "CNcurses", "FoundationEssentials",
    ],
  ]
  static let pure: Set<String> = ["ForceTouchModel", "ForceTouchRecognition"]
  static let cModules: Set<String> = [
    "CEvdev", "CUdev", "CSystemd", "CYAML", "CCairo", "CNcurses", "CLinux",
  ]

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static var sources: URL { root.appending(path: "Sources") }

  @Test func everyModuleIsInTheTable() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path())
    #expect(Set(modules).subtracting(Self.cModules) == Set(Self.rooms.keys))
  }

  @Test(arguments: rooms.keys.sorted())
  func aModuleImportsOnlyWhatTheTableAllows(module: String) throws {
    var allowed = try #require(Self.rooms[module])
    if !Self.pure.contains(module) { allowed.formUnion(["Glibc", "Synchronization"]) }
    let files = try Self.swiftFiles(in: Self.sources.appending(path: module))
    #expect(!files.isEmpty)
    for file in files {
      for imported in Self.imports(try String(contentsOf: file, encoding: .utf8)) {
        #expect(
          allowed.contains(imported), "\(file.lastPathComponent) imports \(imported)")
      }
    }
  }

  /// A program that imports the client library needs no C library of the distribution to build it.
  @Test func theClientLibraryNeedsNoSystemLibrary() throws {
    let manifest = try String(
      contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    var closure: Set<String> = []
    var open = ["ForceTouch"]
    while let module = open.popLast() {
      guard closure.insert(module).inserted else { continue }
      open += try Self.dependencies(of: module, in: manifest)
    }
    #expect(
      closure == ["ForceTouch", "ForceTouchModel", "ForceTouchProtocol", "Varlink", "CLinux"])
    #expect(try Self.dependencies(of: "forcetouchctl", in: manifest).contains("CSystemd"))
  }

  /// What a target of the manifest depends on, as its helper functions are called.
  static func dependencies(of target: String, in manifest: String) throws -> [String] {
    let declaration = try Regex<(Substring, Substring)>(
      #"(?:library|program)\(\s*"\#(target)",\s*\[([^\]]*)\]"#)
    guard let match = manifest.firstMatch(of: declaration) else { return [] }
    return match.output.1.matches(of: /"(\w+)"/).map { String($0.output.1) }
  }

  @Test func onlyOneTargetIsWrittenInC() throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path())
      .filter { $0.hasSuffix(".c") }
    #expect(names == ["CLinux/CLinux.c"])
  }

  @Test func onlyTheCFileDefinesGNUSource() throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path())
    where path.hasSuffix(".h") {
      let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
      #expect(!text.contains("_GNU_SOURCE"), "\(path)")
    }
  }

  @Test func theCheckSeesEveryKindOfImport() {
    let text = """
      import A
      public import B
      internal import struct C.D
      @preconcurrency import E  // import F
      // import G
      let text = "import H"
      """
    #expect(Self.imports(text) == ["A", "B", "C", "E"])
  }

  /// The modules that a source file imports.
  static func imports(_ text: String) -> [String] {
    let pattern =
      /^(?:@\w+(?:\(\w+\))?\s+)*(?:public\s+|package\s+|internal\s+|fileprivate\s+|private\s+)?import\s+(?:(?:struct|class|enum|protocol|func|let|var|typealias)\s+)?(\w+)/
    return text.split(separator: "\n").compactMap { line in
      line.firstMatch(of: pattern).map { String($0.1) }
    }
  }

  static func swiftFiles(in folder: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
      .map { folder.appending(path: $0) }
  }
}
