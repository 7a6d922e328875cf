import Foundation
import ODataModel
import ODataSQLite
import Testing

@testable import ODataTesting

/// [OData-Protocol, section 13.2.1, item 11: no names that differ only by case]
@Suite("Names of the samples")
struct SampleNameTests {
    @Test("Neither sample has names that differ only by case")
    func distinct() async throws {
        try Self.check(try ComplianceSample.model())
        let path = FileManager.default.temporaryDirectory.path + "/names-\(UUID().uuidString).db"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        try FieldServiceSample.create(at: path)
        let store = try SQLiteStore(path: path)
        try Self.check(try await store.model())
        try store.close()
    }

    private static func check(_ model: EdmModel) throws {
        #expect(!model.entitySets.isEmpty)
        for schema in model.schemas {
            let types = schema.types.map(\.name.name) + schema.enumTypes.map(\.name.name)
            expectDistinct(types + Set(schema.operations.map(\.name.name)))
            expectDistinct(schema.entitySets.map(\.name) + Set(schema.operationImports.map(\.name)))
            for type in schema.enumTypes { expectDistinct(type.members.map(\.name)) }
            for declaration in schema.types {
                let type = try #require(model.structuredType(named: declaration.name))
                expectDistinct(type.properties.map(\.name) + type.navigationProperties.map(\.name))
            }
        }
    }

    private static func expectDistinct(_ names: [String]) {
        #expect(Set(names.map { $0.lowercased() }).count == names.count, "\(names)")
    }
}
