// swift-tools-version: 6.2
import PackageDescription

// GTK has one thread, and so has a program that uses it: everything belongs to the main actor.
let swift: [SwiftSetting] = [
  .treatAllWarnings(as: .error), .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self),
]

let package = Package(
  name: "TableView",
  dependencies: [.package(name: "forcetouchd", path: "../..")],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .executableTarget(
      name: "TableView",
      dependencies: ["CGTK", .product(name: "ForceTouch", package: "forcetouchd")],
      resources: [
        .embedInCode("Resources/window.ui"), .embedInCode("Resources/row.ui"),
        .embedInCode("Resources/place.ui"), .embedInCode("Resources/cards.ui"),
        .embedInCode("Resources/style.css"),
      ],
      swiftSettings: swift),
    .testTarget(name: "PageTests", dependencies: ["TableView", "CGTK"], swiftSettings: swift),
  ]
)
