import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import Testing

@testable import ODataSQLite

/// A database of a model in a file of its own, removed with the last use.
final class ModelDatabase: Sendable {
    let pool: DatabasePool
    let executor: QueryExecutor
    let parser: QueryParser
    private let folder: URL

    init(_ declared: EdmModel?, mapping: any SQLMapping, script: String) throws {
        let model = try #require(declared)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("odata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        pool = try DatabasePool(path: Self.path(in: folder), configuration: Self.configuration)
        executor = QueryExecutor(model: model, mapping: mapping)
        parser = QueryParser(model: model)
        try pool.write { try $0.execute(sql: script) }
    }

    deinit {
        try? pool.close()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func path(in folder: URL) -> String { folder.appendingPathComponent("model.db").path }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try SQLiteFunctions.install(on: $0) }
        return configuration
    }

    /// Another connection to the file.
    func queue() throws -> DatabaseQueue {
        try DatabaseQueue(path: Self.path(in: folder), configuration: Self.configuration)
    }

    func result(_ query: BoundQuery, continuation: String? = nil, pageSize: Int? = nil) async throws -> ReadResult {
        try await executor.read(ReadRequest(query, continuation: continuation), in: pool, pageSize: pageSize)
    }

    /// The entities of one page; nil for what are none.
    func page(
        _ query: BoundQuery, continuation: String? = nil, pageSize: Int? = nil
    ) async throws -> (entities: [EdmEntity], next: String?)? {
        let result = try await result(query, continuation: continuation, pageSize: pageSize)
        guard case .entities(let reader) = result.body else { return nil }
        let assembler = EntityAssembler(shape: reader.shape)
        var page: (entities: [EdmEntity], next: String?) = ([], nil)
        while let block = try await reader.next() {
            page.entities += assembler.entities(in: block)
            page.next = block.nextLink
        }
        return page
    }

    func entities(_ url: String) async throws -> [EdmEntity] {
        try await page(try parser.query(url))?.entities ?? []
    }

    /// The values of the key: `1/2`
    static func key(_ entity: EdmEntity) -> String {
        (entity.key?.values ?? []).map(\.lexical).joined(separator: "/")
    }
}
