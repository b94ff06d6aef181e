// swift-tools-version: 6.2
import PackageDescription

// One program with all targets: what is parsed, and what is said of events, under libFuzzer. A
// package of its own, because libFuzzer has the `main` and that takes an unsafe flag. `run` builds
// and starts it; docs/testing.md says how.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "forcetouchd", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [.product(name: "Parts", package: "forcetouchd")],
      swiftSettings: [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .unsafeFlags(["-parse-as-library"]),
      ])
  ]
)
