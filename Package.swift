// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "swift-odata",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "OData", targets: ["OData"]),
        .library(name: "AsyncHTTPTransport", targets: ["AsyncHTTPTransport"]),
        .library(name: "ByteStreams", targets: ["ByteStreams"]),
        .library(name: "ODataArcGIS", targets: ["ODataArcGIS"]),
        .library(name: "ODataAttachments", targets: ["ODataAttachments"]),
        .library(name: "ODataTesting", targets: ["ODataTesting", "ODataConformance"]),
        .library(name: "ODataServer", targets: ["ODataServer", "ODataService"]),
        .library(name: "ODataUI", targets: ["ODataUI"]),
        .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
        .executable(name: "odata", targets: ["odata"]),
        .plugin(name: "ODataGenerator", targets: ["ODataGenerator"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // Floor 0
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "ByteStreams"),
        .target(name: "EncryptionKeys", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
        .target(name: "ODataModel"),
        .target(
            name: "Telemetry",
            dependencies: [
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        // Floor 1
        .target(
            name: "MediaFiles",
            dependencies: ["ByteStreams", "EncryptionKeys", .product(name: "Crypto", package: "swift-crypto")]),
        .target(name: "ODataGeneration", dependencies: ["ODataModel"]),
        .target(name: "ODataMetadata", dependencies: ["CLibXML2", "ODataModel"]),
        .target(name: "ODataQuery", dependencies: ["ODataModel"]),
        .target(
            name: "ODataTransport",
            dependencies: [
                "ByteStreams", "CZlib", "ODataModel", "Telemetry",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "SQLiteEncryption",
            dependencies: [
                "EncryptionKeys",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        // Floor 2
        .target(name: "ODataGrammar", dependencies: ["ODataModel", "ODataQuery"]),
        .target(
            name: "AsyncHTTPTransport",
            dependencies: [
                "ByteStreams", "ODataTransport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .target(
            name: "MediaIndexes",
            dependencies: [
                "ByteStreams", "EncryptionKeys", "MediaFiles", "SQLiteEncryption",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .target(
            name: "ODataFormats",
            dependencies: ["ByteStreams", "ODataMetadata", "ODataModel", "ODataQuery"]),
        .target(name: "ODataSQL", dependencies: ["ODataModel", "ODataQuery"]),
        .target(
            name: "ODataStores", dependencies: ["ByteStreams", "MediaFiles", "ODataModel", "ODataQuery", "Telemetry"]),
        .target(
            name: "URLSessionTransport",
            dependencies: [
                "ByteStreams", "ODataTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // Floor 3
        .target(
            name: "ODataMedia", dependencies: ["ByteStreams", "MediaFiles", "ODataModel", "ODataQuery", "ODataStores"]),
        .target(
            name: "ODataOnline",
            dependencies: [
                "ByteStreams", "ODataFormats", "ODataMetadata", "ODataModel", "ODataQuery", "ODataStores",
                "ODataTransport", "Telemetry",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "ODataService",
            dependencies: [
                "ByteStreams", "ODataFormats", "ODataMetadata", "ODataModel", "ODataQuery", "ODataStores",
                "ODataTransport", "Telemetry",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "ODataSQLite",
            dependencies: [
                "ByteStreams", "MediaFiles", "ODataModel", "ODataQuery", "ODataSQL", "ODataStores", "SQLiteEncryption",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .executableTarget(name: "odata-generate", dependencies: ["ODataGeneration", "ODataMetadata"]),
        // Floor 4
        .target(
            name: "ODataOffline",
            dependencies: [
                "ByteStreams", "EncryptionKeys", "MediaFiles", "MediaIndexes", "ODataFormats", "ODataMedia",
                "ODataMetadata",
                "ODataModel", "ODataQuery", "ODataSQL", "ODataSQLite", "ODataStores", "SQLiteEncryption", "Telemetry",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "ODataServer",
            dependencies: [
                "ByteStreams", "ODataModel", "ODataService",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ]),
        // Floor 5
        .target(
            name: "ODataAttachments",
            dependencies: [
                "ByteStreams", "EncryptionKeys", "MediaFiles", "ODataModel", "ODataOffline", "ODataQuery",
                "ODataStores", "SQLiteEncryption",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .target(
            name: "ODataTesting",
            dependencies: [
                "ByteStreams", "ODataFormats", "ODataMetadata", "ODataModel", "ODataOffline", "ODataOnline",
                "ODataQuery",
                "ODataService",
                "ODataSQLite", "ODataStores", "ODataTransport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // Floor 6
        .target(
            name: "ODataArcGIS",
            dependencies: [
                "ByteStreams", "ODataAttachments", "ODataModel", "ODataOnline", "ODataQuery", "ODataStores",
                "ODataTransport", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "ODataConformance",
            dependencies: [
                "ByteStreams", "ODataModel", "ODataQuery", "ODataStores", "ODataTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // Floor 7
        .target(
            name: "OData",
            dependencies: [
                "ByteStreams", "EncryptionKeys", "ODataAttachments", "ODataFormats", "ODataMetadata", "ODataModel",
                "ODataOffline",
                "ODataOnline", "ODataQuery", "ODataSQLite", "ODataStores", "ODataTransport",
            ]),
        // Floor 8
        .target(
            name: "ODataCommandLine",
            dependencies: [
                "AsyncHTTPTransport", "ByteStreams", "EncryptionKeys", "MediaFiles", "OData", "ODataArcGIS",
                "ODataGeneration", "ODataGrammar", "ODataSQL", "ODataServer", "ODataService", "ODataTesting",
                "SQLiteEncryption",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(name: "ODataUI", dependencies: ["OData"]),
        // Floor 9
        .executableTarget(name: "odata", dependencies: ["ODataCommandLine"]),
        // Plugins
        .plugin(name: "ODataGenerator", capability: .buildTool(), dependencies: ["odata-generate"]),
        // Tests
        .testTarget(
            name: "ArcGISTestingTests",
            dependencies: [
                "ArcGISTesting", "AsyncHTTPTransport", "ByteStreams", "ODataModel", "ODataTransport", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(name: "ByteStreamsTests", dependencies: ["ByteStreams"]),
        .testTarget(
            name: "ODataTransportTests",
            dependencies: [
                "ByteStreams", "ODataTransport", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "AsyncHTTPTransportTests",
            dependencies: [
                "AsyncHTTPTransport", "ByteStreams", "ODataTransport", "TestSupport", "URLSessionTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .testTarget(
            name: "ODataOnlineTests",
            dependencies: [
                "AsyncHTTPTransport", "ByteStreams", "ODataFormats", "ODataMetadata", "ODataModel", "ODataOnline",
                "ODataQuery",
                "ODataStores", "ODataTransport", "ToolSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "ArcGISTesting",
            dependencies: [
                "ByteStreams", "MediaFiles", "ODataModel", "ODataServer", "ODataService", "ODataTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], path: "Tests/ArcGISTesting"),
        .target(
            name: "TestSupport", dependencies: ["ODataModel", "ODataQuery", "ODataTransport"], path: "Tests/TestSupport"
        ),
        .executableTarget(
            name: "GettingStarted", dependencies: ["AsyncHTTPTransport", "OData"], path: "Tests/GettingStarted"),
        .target(
            name: "ToolSupport",
            dependencies: [
                "ODataTesting", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Tests/ToolSupport"),
        .testTarget(
            name: "ODataCommandLineTests",
            dependencies: [
                "ArcGISTesting", "AsyncHTTPTransport", "ByteStreams", "MediaFiles", "OData", "ODataCommandLine",
                "ODataServer", "ODataService", "ODataTesting", "ODataTransport", "TestSupport", "ToolSupport", "odata",
                "odata-generate",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "ODataFaultTests",
            dependencies: [
                "ArcGISTesting", "AsyncHTTPTransport", "ByteStreams", "MediaFiles", "OData", "ODataServer",
                "ODataService", "ODataTesting", "TestSupport", "ToolSupport",
                "odata",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "ArcGISTesting", "AsyncHTTPTransport", "GettingStarted", "OData", "ODataArcGIS", "ODataConformance",
                "ODataGeneration", "ODataServer", "ODataService", "ODataTesting", "ODataUI", "TestSupport",
                "ToolSupport",
                "URLSessionTransport",
                "odata",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        // The examples are a package of their own: Scripts/build-examples.
        .testTarget(name: "ExampleTests", dependencies: ["AsyncHTTPTransport", "OData", "ToolSupport", "odata"]),
        .testTarget(
            name: "EncryptionKeysTests",
            dependencies: ["EncryptionKeys", .product(name: "Crypto", package: "swift-crypto")]),
        .testTarget(name: "MediaFilesTests", dependencies: ["ByteStreams", "EncryptionKeys", "MediaFiles"]),
        .testTarget(
            name: "MediaIndexesTests",
            dependencies: [
                "ByteStreams", "EncryptionKeys", "MediaFiles", "MediaIndexes",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "ODataMediaTests",
            dependencies: [
                "ByteStreams", "EncryptionKeys", "MediaFiles", "ODataMedia", "ODataModel", "ODataQuery", "ODataStores",
            ]),
        .testTarget(name: "ODataGenerationTests", dependencies: ["ODataGeneration", "ODataMetadata", "ODataModel"]),
        .testTarget(
            name: "ODataGrammarTests", dependencies: ["ODataGrammar", "ODataModel", "ODataQuery", "TestSupport"]),
        .testTarget(name: "ODataUITests", dependencies: ["OData", "ODataUI"]),
        .testTarget(name: "ODataModelTests", dependencies: ["ODataModel"]),
        .testTarget(name: "ODataQueryTests", dependencies: ["ODataModel", "ODataQuery", "TestSupport"]),
        .testTarget(name: "ODataSQLTests", dependencies: ["ODataModel", "ODataQuery", "ODataSQL"]),
        .testTarget(
            name: "ODataFormatsTests",
            dependencies: ["ByteStreams", "ODataFormats", "ODataMetadata", "ODataModel", "ODataQuery", "TestSupport"]),
        .testTarget(
            name: "ODataStoresTests",
            dependencies: [
                "ODataModel", "ODataQuery", "ODataSQLite", "ODataStores",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "ODataServiceTests",
            dependencies: [
                "ByteStreams", "ODataFormats", "ODataMetadata", "ODataModel", "ODataQuery", "ODataService",
                "ODataSQLite", "ODataStores",
                "ODataTransport", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "ODataOfflineTests",
            dependencies: [
                "ByteStreams", "EncryptionKeys", "MediaFiles", "ODataFormats", "ODataMetadata", "ODataModel",
                "ODataOffline",
                "ODataOnline", "ODataQuery", "ODataSQLite", "ODataService", "ODataStores", "ODataTesting",
                "ODataTransport", "SQLiteEncryption", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            resources: [.copy("Frozen")]),
        .testTarget(
            name: "ChangeTwinTests",
            dependencies: [
                "ByteStreams", "ODataFormats", "ODataMetadata", "ODataModel", "ODataOffline", "ODataOnline",
                "ODataQuery",
                "ODataSQLite", "ODataService", "ODataStores", "ODataTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "ODataAttachmentsTests",
            dependencies: [
                "AsyncHTTPTransport", "ByteStreams", "EncryptionKeys", "ODataAttachments", "ODataModel",
                "ODataOffline", "ODataOnline", "ODataSQLite", "ODataServer", "ODataService", "ODataStores",
                "ODataTesting", "ODataTransport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "ODataArcGISTests",
            dependencies: [
                "ArcGISTesting", "AsyncHTTPTransport", "ByteStreams", "ODataArcGIS", "ODataAttachments", "ODataModel",
                "ODataServer", "ODataService", "ODataStores", "ODataTransport", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "ODataConformanceTests",
            dependencies: [
                "AsyncHTTPTransport", "ByteStreams", "ODataConformance", "ODataModel", "ODataOffline", "ODataOnline",
                "ODataQuery", "ODataSQLite", "ODataServer", "ODataService", "ODataStores", "ODataTesting",
                "TestSupport",
            ]),
        .testTarget(
            name: "ODataSQLiteTests",
            dependencies: [
                "ByteStreams", "MediaFiles", "ODataModel", "ODataQuery", "ODataSQL", "ODataSQLite", "ODataStores",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ], exclude: ["Translation/Translations.txt"]),
        .testTarget(
            name: "ODataServerTests",
            dependencies: [
                "ByteStreams", "ODataModel", "ODataQuery", "ODataSQLite", "ODataServer", "ODataService", "ODataStores",
                "ODataTransport", "TestSupport", "URLSessionTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .testTarget(
            name: "PublicNameTests",
            dependencies: [
                "AsyncHTTPTransport", "ByteStreams", "OData", "ODataArcGIS", "ODataConformance", "ODataServer",
                "ODataService", "ODataTesting", "ODataUI", "URLSessionTransport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["SystemNames.txt"]),
        .testTarget(
            name: "SQLiteEncryptionTests",
            dependencies: [
                "EncryptionKeys", "SQLiteEncryption",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "ByteStreams", "OData", "ODataService", "ODataTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(
            name: "CollectionTests",
            dependencies: ["ByteStreams", "OData", "ODataGeneration", "ODataService", "ODataTesting"]),
        .testTarget(
            name: "ODataTestingTests",
            dependencies: [
                "ByteStreams", "ODataModel", "ODataQuery", "ODataService", "ODataSQLite", "ODataStores", "ODataTesting",
                "ODataTransport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny")
        ]
}

// Builds while working on a part: `ODATA_TESTS=ODataOfflineTests,ODataSQLiteTests swift build --build-tests` knows these
// test targets and what they need, and nothing else.
if let names = Context.environment["ODATA_TESTS"] {
    var needed: Set<String> = []
    var open = names.split(separator: ",").map(String.init)
    if let unknown = open.first(where: { name in !package.targets.contains { $0.name == name } }) {
        // The only way for a manifest to refuse.
        fatalError("ODATA_TESTS names a target that there is not: \(unknown)")
    }
    while let name = open.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let dependency, _) in target.dependencies { open.append(dependency) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll()
}
