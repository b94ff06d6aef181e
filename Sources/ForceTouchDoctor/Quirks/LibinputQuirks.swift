internal import CLinux
internal import Glibc

/// All quirks that libinput goes by on this machine.
public struct LibinputQuirks: Equatable, Sendable {
  /// Where libinput's own files lie.
  public static let standardFolder = "/usr/share/libinput"
  /// What the administrator adds; read last.
  public static let overrides = "/etc/libinput/local-overrides.quirks"
  /// The environment variable by which libinput reads a folder of another place, and that alone.
  public static let folderVariable = "LIBINPUT_QUIRKS_DIR"

  private var sections: [QuirksFile.Section] = []
  /// Why libinput goes by no quirks at all: it drops all of them for one line that is wrong.
  public private(set) var problem: String?
  /// Whether there are any files.
  public private(set) var isInstalled = false

  /// In bytes; libinput's own are a hundred times smaller.
  private static let largestFile = 1 << 20

  /// No quirks.
  public init() {}

  /// Reads the files that libinput would read.
  public static func standard() -> LibinputQuirks {
    if let folder = getenv(folderVariable) {
      return LibinputQuirks(folder: String(cString: folder), overrides: nil)
    }
    return LibinputQuirks(folder: standardFolder, overrides: overrides)
  }

  /// - Parameter overrides: A file that is read after those of the folder; it need not exist.
  public init(folder: String, overrides: String?) {
    let files = Self.files(in: folder)
    // Without files of its own libinput does not look for more.
    guard !files.isEmpty else { return }
    isInstalled = true
    do throws(QuirksFile.Problem) {
      for path in files { try add(path) }
      if let overrides, access(overrides, F_OK) == 0 { try add(overrides) }
    } catch {
      problem = error.description
      sections = []
    }
  }

  private mutating func add(_ path: String) throws(QuirksFile.Problem) {
    func unreadable(_ why: String) -> QuirksFile.Problem {
      .init(place: Place(file: path, line: 0), text: "cannot be read: \(why)")
    }
    // Nobody here may wait until somebody writes into a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw unreadable("it is no file")
    }
    guard status.st_size <= Self.largestFile else { throw unreadable("it is too large") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw unreadable(String(cString: strerror(errno))) }
    bytes.removeSubrange(count...)
    sections += try QuirksFile(name: path, text: String(decoding: bytes, as: UTF8.self)).sections
  }

  /// In the order of libinput, the corresponding C function is `versionsort`.
  private static func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".quirks") && name.utf8.count > 7 { names.append(name) }
    }
    return names.sorted { cl_compare_names($0, $1) < 0 }.map { folder + "/" + $0 }
  }

  /// The values that hold for a device, by name: of several the last counts.
  public func values(for subject: QuirkSubject) -> [String: QuirksFile.Value] {
    var values: [String: QuirksFile.Value] = [:]
    for section in sections where subject.fulfills(section) {
      for value in section.values { values[value.key] = value }
    }
    return values
  }
}
