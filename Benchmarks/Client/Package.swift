// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "follow",
  dependencies: [.package(name: "forcetouchd", path: "../..")],
  targets: [
    .executableTarget(
      name: "follow", dependencies: [.product(name: "ForceTouch", package: "forcetouchd")],
      swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6)])
  ]
)
