import Foundation
import GRDB
import ODataTesting
import Testing

@Suite("The field service sample")
struct FieldServiceSampleTests {
    /// Makes the sample in a file, which goes with it.
    private func withSample<Result>(_ size: FieldServiceSample.Size, _ body: (String) async throws -> Result)
        async throws -> Result
    {
        let path = FileManager.default.temporaryDirectory.path + "/field-\(UUID().uuidString).db"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        try FieldServiceSample.create(at: path, size: size)
        return try await body(path)
    }

    @Test("There is at least one of each kind that others refer to", arguments: [-1, 0])
    func least(count: Int) async throws {
        var size = FieldServiceSample.Size()
        (size.partners, size.products, size.equipment) = (count, count, count)
        (size.workOrders, size.inspections) = (count, count)
        (size.orders, size.photos) = (2, 2)
        let counts = try await withSample(size) { path in
            try await DatabaseQueue(path: path).read { db in
                #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
                return try ["BusinessPartners", "Products", "SalesOrders", "Equipment", "WorkOrders", "Photos"].map {
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")
                }
            }
        }
        #expect(counts == [1, 1, 2, 1, 1, 2])
        (size.orders, size.photos) = (count, count)
        try await withSample(size) { #expect(FileManager.default.fileExists(atPath: $0)) }
    }
}
