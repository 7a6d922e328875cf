import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// A small file with products, and operations on them; the folder goes with it.
final class OperationShop {
    private let folder: URL
    private let file: SQLiteStore
    let store: OperationStore
    let model: EdmModel
    let products: EdmEntitySet
    let product: EdmTypeReference

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("operations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("shop.db").path
        let database = try DatabaseQueue(path: path)
        try await database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Products (
                        ID INTEGER PRIMARY KEY, Name TEXT NOT NULL, Price INTEGER NOT NULL, Picture BLOB);
                    INSERT INTO Products VALUES
                        (1, 'Tea', 4, x'0102'), (2, 'Coffee', 7, NULL), (3, 'Bread', 3, NULL), (4, 'Air', 0, NULL);
                    """)
        }
        try database.close()
        file = try SQLiteStore(path: path, configuration: SQLiteStore.Configuration())
        let base = try await file.model()
        guard let products = base.entitySet(named: "Products") else { throw CocoaError(.fileNoSuchFile) }
        store = OperationStore(file, operations: ShopOperations.all(products: products))
        model = try await store.model()
        self.products = products
        product = products.type.reference
    }

    deinit {
        try? file.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A call of the overload with these parameters.
    func call(_ name: String, _ arguments: [(String, EdmValue)] = [], parameters: [String]? = nil) throws
        -> OperationCall
    {
        let names = parameters ?? arguments.map(\.0)
        let overloads = model.operations(named: EdmQualifiedName("Shop.\(name)"))
        guard let operation = overloads.first(where: { $0.arguments.map(\.name) == names }) else {
            throw ODataError(.badRequest, "No such overload.")
        }
        return OperationCall(
            operation, arguments: arguments.map { .init(name: $0.0, value: .literal($0.1, nil)) },
            entitySet: products)
    }

    func names(_ query: BoundQuery) async throws -> [String] {
        try await store.entities(query).compactMap { $0["Name"]?.lexical }
    }
}
