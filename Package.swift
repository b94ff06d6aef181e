// swift-tools-version: 6.2
import PackageDescription

// Who may import whom is fixed here and held by Tests/StructureTests: a target lists
// exactly the modules it may import, nothing it could reach by accident.

let swift: [SwiftSetting] = [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6)]

func library(
  _ name: String, _ imports: [String] = [], resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: imports.map { .target(name: $0) }, resources: resources,
    swiftSettings: swift)
}

func program(_ name: String, _ imports: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: imports.map { .target(name: $0) }, swiftSettings: swift)
}

func system(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func tests(_ name: String, _ imports: [String]) -> Target {
  .testTarget(
    name: name, dependencies: imports.map { .target(name: $0) }, swiftSettings: swift)
}

let package = Package(
  name: "forcetouchd",
  products: [
    .library(name: "ForceTouch", type: .static, targets: ["ForceTouch"]),
    .executable(name: "forcetouchd", targets: ["forcetouchd"]),
    .executable(name: "forcetouchctl", targets: ["forcetouchctl"]),
    // Not for programs: what Fuzz, a package of its own in this folder, takes apart.
    .library(
      name: "Parts",
      targets: [
        "YAML", "Varlink", "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices",
        "ForceTouchRecordings", "ForceTouchEngine", "ForceTouchProtocol", "ForceTouchSettings",
        "ForceTouchActions", "ForceTouch", "TestSupport",
      ]),
  ],
  targets: [
    // C libraries of the distribution, and the few calls Swift's Glibc lacks.
    system("CEvdev", pkgConfig: "libevdev", apt: "libevdev-dev"),
    system("CUdev", pkgConfig: "libudev", apt: "libudev-dev"),
    system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
    system("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
    system("CCairo", pkgConfig: "cairo", apt: "libcairo2-dev"),
    // Its pkg-config sets macros, which SwiftPM warns of.
    system("CNcurses", apt: "libncurses-dev"),
    .target(name: "CLinux"),

    // Formats and protocols that know nothing of touch.
    library("YAML", ["CYAML"]),
    library("Varlink", ["CLinux"]),

    // Touch.
    library("ForceTouchModel"),
    library("ForceTouchRecognition", ["ForceTouchModel"]),
    library(
      "ForceTouchDevices", ["ForceTouchModel", "YAML", "CEvdev", "CUdev"],
      resources: [.embedInCode("devices.yaml")]),
    library("ForceTouchRecordings", ["ForceTouchModel", "YAML"]),
    library(
      "ForceTouchEngine",
      [
        "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices", "ForceTouchSettings",
        "YAML",
      ]),
    library(
      "ForceTouchProtocol", ["ForceTouchModel", "Varlink"],
      resources: [
        .embedInCode("Interfaces/org.forcetouchd.Control.varlink"),
        .embedInCode("Interfaces/org.forcetouchd.Devices.varlink"),
        .embedInCode("Interfaces/org.forcetouchd.Monitor.varlink"),
        .embedInCode("Interfaces/org.forcetouchd.Previewing.varlink"),
      ]),
    library("ForceTouch", ["ForceTouchModel", "ForceTouchProtocol", "Varlink"]),
    library("ForceTouchSettings", ["ForceTouchModel", "ForceTouchRecognition", "YAML"]),
    library("ForceTouchActions", ["ForceTouchModel", "YAML"]),
    library(
      "ForceTouchDoctor", ["ForceTouchModel", "ForceTouchProtocol", "CLinux"]),
    library("ForceTouchPlot", ["ForceTouchModel", "ForceTouchRecognition"]),
    library(
      "ForceTouchScreen",
      [
        "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices", "ForceTouchSettings",
        "ForceTouchEngine", "ForceTouchProtocol",
      ]),
    library(
      "ForceTouchDaemon",
      [
        "YAML", "Varlink", "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices",
        "ForceTouchRecordings", "ForceTouchEngine", "ForceTouchProtocol", "ForceTouchSettings",
        "CLinux", "CSystemd",
      ]),

    // Programs.
    program("forcetouchd", ["ForceTouchDaemon"]),
    program(
      "forcetouchctl",
      [
        "ForceTouch", "ForceTouchProtocol", "Varlink", "ForceTouchModel", "YAML",
        "ForceTouchSettings", "ForceTouchActions", "ForceTouchDoctor", "ForceTouchPlot",
        "ForceTouchScreen",
        "ForceTouchEngine", "ForceTouchRecognition", "ForceTouchDevices", "ForceTouchRecordings",
        "CSystemd", "CCairo", "CNcurses",
      ]),

    // What several tests share.
    .target(
      name: "TestSupport", dependencies: ["ForceTouchModel", "ForceTouchRecognition"],
      path: "Tests/TestSupport",
      swiftSettings: swift),
    tests("CLinuxTests", ["CLinux"]),
    tests("ModelTests", ["ForceTouchModel"]),
    tests("YAMLTests", ["YAML", "TestSupport"]),
    tests("VarlinkTests", ["Varlink", "CLinux", "TestSupport"]),
    tests("RecognitionTests", ["ForceTouchModel", "ForceTouchRecognition", "TestSupport"]),
    tests("ArbiterTests", ["ForceTouchModel", "ForceTouchRecognition", "TestSupport"]),
    tests("DevicesTests", ["ForceTouchModel", "ForceTouchDevices", "YAML", "TestSupport"]),
    tests("RecordingsTests", ["ForceTouchModel", "ForceTouchRecordings", "YAML", "TestSupport"]),
    tests(
      "EngineTests",
      [
        "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices", "ForceTouchRecordings",
        "ForceTouchEngine", "ForceTouchSettings", "YAML", "TestSupport",
      ]),
    tests(
      "ForceTouchTests",
      ["ForceTouch", "ForceTouchModel", "ForceTouchProtocol", "Varlink", "TestSupport"]),
    tests("ProtocolTests", ["ForceTouchModel", "ForceTouchProtocol", "Varlink"]),
    tests(
      "SettingsTests", ["ForceTouchModel", "ForceTouchRecognition", "ForceTouchSettings", "YAML"]),
    tests("ActionsTests", ["ForceTouchModel", "ForceTouchActions", "YAML", "TestSupport"]),
    tests(
      "DoctorTests", ["ForceTouchModel", "ForceTouchProtocol", "ForceTouchDoctor", "TestSupport"]),
    tests(
      "PlotTests", ["ForceTouchModel", "ForceTouchRecognition", "ForceTouchPlot", "TestSupport"]),
    tests(
      "ScreenTests",
      [
        "ForceTouchModel", "ForceTouchRecognition", "ForceTouchDevices", "ForceTouchRecordings",
        "ForceTouchEngine", "ForceTouchProtocol", "ForceTouchScreen", "TestSupport",
      ]),
    tests("StructureTests", []),
  ]
)
