import Glibc

/// What can be fuzzed. The raw values name the folders of the corpora, and are what `FUZZ_TARGET`
/// says.
enum FuzzTarget: String, CaseIterable {
  case server
  case json
  case client
  case daemon
  case recording
  case libinput
  case evemu
  case evtest
  case getevent
  case yaml
  case settings
  case stored
  case devices
  case profiles
  case actions
  case events
  case previews

  /// Takes one input and stops the process where something does not hold.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .server: fuzzServer(bytes)
    case .json: fuzzJSON(bytes)
    case .client: fuzzClient(bytes)
    case .daemon: fuzzDaemon(bytes)
    case .recording: fuzzRecording(bytes)
    case .libinput: fuzzRecording(bytes, as: .libinput)
    case .evemu: fuzzRecording(bytes, as: .evemu)
    case .evtest: fuzzRecording(bytes, as: .evtest)
    case .getevent: fuzzRecording(bytes, as: .getevent)
    case .yaml: fuzzYAML(bytes)
    case .settings: fuzzSettings(bytes)
    case .stored: fuzzStoredSettings(bytes)
    case .devices: fuzzDeviceTable(bytes)
    case .profiles: fuzzProfiles(bytes)
    case .actions: fuzzActions(bytes)
    case .events: fuzzEvents(bytes)
    case .previews: fuzzPreviews(bytes)
    }
  }

  /// The one that this process is for.
  static let chosen: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      let names = allCases.map(\.rawValue).joined(separator: " ")
      tell("FUZZ_TARGET must be one of \(names)")
      exit(2)
    }
    return target
  }()
}

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}
