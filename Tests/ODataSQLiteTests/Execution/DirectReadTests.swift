import Foundation
import GRDB
import Synchronization
import Testing

@testable import ODataSQLite

/// Short reads on the thread of their caller.
@Suite struct DirectReadTests {
    private let reads = DirectReads(most: 1000)
    private let shop: ShopDatabase

    init() throws { shop = try ShopDatabase() }

    @Test("A short read runs on the thread of its caller")
    func short() throws {
        let thread = Thread.current
        let isSame = try reads.result(of: { _ in Thread.current === thread }, in: shop.pool)
        #expect(isSame == true)
    }

    @Test("A long read is ended, to be repeated elsewhere", arguments: [nil, Duration.milliseconds(1)])
    func long(limit: Duration?) throws {
        let sql = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let count = try reads.result(
            of: { try Int.fetchOne($0, sql: sql) ?? 0 }, in: shop.pool, within: limit)
        #expect(count == nil)
    }

    @Test("What a read throws is thrown")
    func failing() throws {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try reads.result(of: { _ in throw Failure() }, in: shop.pool) }
        #expect(throws: DatabaseError.self) {
            try reads.result(of: { try Int.fetchOne($0, sql: "SELECT nothing") }, in: shop.pool)
        }
    }

    @Test(
        "A read that might wait is not begun: for the one connection, for the lock of a file without a log, for others")
    func waiting() async throws {
        func begins(_ reads: DirectReads, _ database: any DatabaseReader) throws -> Bool {
            try reads.result(of: { _ in true }, in: database) == true
        }
        #expect(try begins(reads, shop.pool))
        #expect(try !begins(reads, shop.queue()))
        #expect(try !begins(DirectReads(most: 0), shop.pool))
        let file = try Shop.file()
        var configuration = Configuration()
        configuration.readonly = true
        #expect(try !begins(reads, DatabasePool(path: file.path, configuration: configuration)))
        let all = shop.pool.configuration.maximumReaderCount
        #expect(try await busy(all - 2) { try begins(reads, shop.pool) })
        #expect(try await !busy(all - 1) { try begins(reads, shop.pool) })
        #expect(try begins(reads, shop.pool))
    }

    /// What `body` returns while so many reads are on threads of the database.
    private func busy(_ count: Int, _ body: () throws -> Bool) async throws -> Bool {
        guard count > 0 else { return try body() }
        return try await reads.indirectly { try await busy(count - 1, body) }
    }
}
