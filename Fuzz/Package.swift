// swift-tools-version: 6.1

import PackageDescription

// The targets are the package's own sources, instrumented: `Fuzz/run json 600`.
let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    targets: [
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .target(name: "CLibFuzzer"),
        .target(name: "ByteStreams"),
        .target(name: "ODataModel"),
        .target(name: "ODataMetadata", dependencies: ["CLibXML2", "ODataModel"]),
        .target(name: "ODataQuery", dependencies: ["ODataModel"]),
        .target(name: "ODataGrammar", dependencies: ["ODataModel", "ODataQuery"]),
        .target(
            name: "ODataFormats", dependencies: ["ByteStreams", "ODataMetadata", "ODataModel", "ODataQuery"]),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "ByteStreams", "CLibFuzzer", "ODataFormats", "ODataGrammar", "ODataMetadata", "ODataModel",
                "ODataQuery",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.name != "CLibFuzzer" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"]),
    ]
    if target.type == .executable {
        // gold, the linker on Linux, breaks at the two entry points.
        target.linkerSettings = [
            .unsafeFlags(["-sanitize=fuzzer"]), .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
        ]
    }
}
