import ArgumentParser
import Foundation
import OData

/// Opens a store with many entities and large metadata, beside the reading of its metadata document.
struct OpenBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "open")

    @Option(help: "How many entities the store has.") var entities = 1_000_000
    @Option(help: "How many entity sets of 40 properties the service has beside the one that is downloaded.")
    var sets = 700
    @Option var rounds = 15

    func run() async throws {
        try await withTemporaryFolder(measure)
    }

    private func measure(in folder: String) async throws {
        let sample = try await ServiceSample(folder: folder, entities: entities)
        let remote = try await LargeService(base: sample.store, sets: sets)
        let metadata = try CSDL.xml(remote.large)
        try await sample.store(remote: remote, in: folder + "/store").close()
        var times: (opening: [Double], document: [Double]) = ([], [])
        for _ in 0..<rounds {
            var store: OfflineStore?
            times.opening.append(
                try await milliseconds {
                    let opened = try OfflineStore(folder: folder + "/store", remote: nil)
                    try await opened.open()
                    store = opened
                })
            try store?.close()
            times.document.append(try await milliseconds { _ = try CSDL.read(xml: metadata) })
        }
        let (opening, document) = (times.opening.quantile(0.5), times.document.quantile(0.5))
        print("\(entities) entities, \(metadata.count) bytes of metadata; median of \(rounds) rounds")
        print(String(format: "opening %.1f ms, reading of the metadata document alone %.1f ms", opening, document))
    }

    private func milliseconds(_ body: () async throws -> Void) async throws -> Double {
        try await seconds(body) * 1e3
    }
}

/// A service with more entity sets than its store has.
private struct LargeService: ODataStore {
    let base: any ODataStore
    let large: EdmModel

    init(base: any ODataStore, sets: Int) async throws {
        self.base = base
        var schema = EdmSchema(namespace: "Large")
        for number in 0..<sets {
            let name = EdmQualifiedName(namespace: "Large", name: "BusinessObject\(number)")
            schema.types.append(
                EdmStructuredTypeDeclaration(
                    name: name, key: ["Property0"],
                    properties: (0..<40).map { index in
                        EdmProperty(
                            name: "Property\(index)", type: index % 3 == 0 ? .int32 : .string, isNullable: index > 0,
                            maxLength: index % 3 == 0 ? nil : 40,
                            annotations: [
                                EdmAnnotation(term: EdmAnnotation.sap("label"), value: .string("Label \(index)"))
                            ])
                    },
                    navigationProperties: [EdmNavigationProperty(name: "Next", target: name, isCollection: false)]))
        }
        var schemas = try await base.model().schemas
        guard let container = schemas.firstIndex(where: { $0.container != nil }) else {
            throw ValidationError("The service has no container.")
        }
        schemas[container].entitySets += schema.types.map {
            EdmEntitySetDeclaration(name: $0.name.name + "Set", type: $0.name)
        }
        large = try EdmModel(schemas: schemas + [schema])
    }

    func model() async throws -> EdmModel { large }

    func read(_ request: ReadRequest) async throws -> ReadResult { try await base.read(request) }

    func change(_ request: ChangeRequest) async throws -> ChangeResult { try await base.change(request) }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await base.changeSet(requests) }

    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }
}
