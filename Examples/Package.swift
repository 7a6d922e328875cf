// swift-tools-version: 6.1

import PackageDescription

let odata = Target.Dependency.product(name: "OData", package: "swift-odata")
let client = Target.Dependency.product(name: "AsyncHTTPTransport", package: "swift-odata")
// An app for Apple platforms uses URLSession.
let transports: [Target.Dependency] = [
    .product(name: "AsyncHTTPTransport", package: "swift-odata", condition: .when(platforms: [.linux])),
    .product(name: "URLSessionTransport", package: "swift-odata", condition: .when(platforms: [.macOS, .iOS])),
]
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let generator = Target.PluginUsage.plugin(name: "ODataGenerator", package: "swift-odata")

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Inspection", targets: ["Inspection", "PhotoFiles"])
    ],
    dependencies: [
        .package(name: "swift-odata", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "Generated", dependencies: [odata], path: "Generated", resources: [.embedInCode("shop.edmx")],
            plugins: [generator]),
        .target(name: "PhotoFiles", dependencies: [odata], path: "PhotoFiles"),
        .target(
            name: "Inspection", dependencies: ["PhotoFiles", odata] + transports, path: "Inspection",
            plugins: [generator]),
        .executableTarget(
            name: "LiveList", dependencies: [client, odata], path: "LiveList", plugins: [generator]),
        .executableTarget(
            name: "inspect", dependencies: ["Inspection", "PhotoFiles", arguments, odata], path: "inspect"),
        .executableTarget(
            name: "PhotoUploader", dependencies: ["PhotoFiles", arguments, client, odata], path: "PhotoUploader"),
        .executableTarget(
            name: "FieldService",
            dependencies: [
                arguments, odata,
                .product(name: "ODataServer", package: "swift-odata"),
                .product(name: "ODataTesting", package: "swift-odata"),
            ],
            path: "FieldService"),
    ],
    swiftLanguageModes: [.v6]
)
