import ArgumentParser
import Foundation
import GRDB
import OData

/// Reads typed entities from an offline store, beside the same structures filled by hand from GRDB's rows of the same
/// table.
struct TypedBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "typed")

    @Option(help: "Entities of the store.") var entities = 10_000
    @Option(help: "How often each side reads in a round.") var repetitions = 10
    @Option var rounds = 9

    func run() async throws {
        try await withTemporaryFolder { folder in
            let store = try await filled(folder)
            let pool = try DatabasePool(path: folder + "/store/store.sqlite")
            let visits = EntityCollections(store).of(Visits.self, in: "Visits")
            guard try await visits.findAll().map(\.fields) == byHand(pool).map(\.fields) else {
                throw ValidationError("The two sides read different values.")
            }
            var ratios: [Double] = []
            for round in 1...rounds {
                let ours = try await milliseconds { try await visits.findAll().count }
                let hand = try await milliseconds { try byHand(pool).count }
                ratios.append(ours / hand)
                print(
                    String(
                        format: "round %d: %.2f ms, by hand %.2f ms, ratio %.2f", round, ours, hand, ours / hand))
            }
            print(String(format: "%d entities, median ratio %.2f", entities, ratios.quantile(0.5)))
            try store.close()
            try pool.close()
        }
    }

    /// Milliseconds for one read.
    private func milliseconds(_ read: () async throws -> Int) async throws -> Double {
        let time = try await seconds {
            for _ in 0..<repetitions where try await read() != entities { throw ValidationError("Not all were read.") }
        }
        return time * 1e3 / Double(repetitions)
    }

    private func byHand(_ pool: DatabasePool) throws -> [VisitRecord] {
        try pool.read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT ID, Customer, Rooms, Amount, Note, Day, IsDone FROM Visits ORDER BY ID")
            var records: [VisitRecord] = []
            while let row = try rows.next() { records.append(VisitRecord(row)) }
            return records
        }
    }

    /// A store that has downloaded all.
    private func filled(_ folder: String) async throws -> OfflineStore {
        let queue = try DatabaseQueue(path: folder + "/service.db")
        try await queue.write { [entities] db in
            try db.execute(
                sql: """
                    CREATE TABLE Visits(ID INTEGER PRIMARY KEY, Customer TEXT NOT NULL, Rooms INTEGER NOT NULL,
                        Amount REAL, Note TEXT, Day DATE, IsDone BOOLEAN NOT NULL);
                    WITH RECURSIVE ids(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM ids WHERE id + 1 < ?)
                    INSERT INTO Visits SELECT id, 'Customer number ' || id, id % 10, id / 7.0,
                        CASE WHEN id % 3 THEN 'Note of the visit with number ' || id END,
                        printf('2026-%02d-%02d', id % 12 + 1, id % 28 + 1), id % 2 FROM ids
                    """, arguments: [entities])
        }
        try queue.close()
        let store = try OfflineStore(
            folder: folder + "/store", remote: try SQLiteStore(path: folder + "/service.db"))
        try await store.open()
        try store.addQuery(DefiningQuery(name: "visits", query: "Visits"))
        try await store.download()
        return store
    }
}

/// What somebody writes who reads the table with GRDB: the same properties with the same types.
private struct VisitRecord {
    var id: Int64
    var customer: String
    var rooms: Int64
    var amount: Double?
    var note: String?
    var day: EdmDate?
    var isDone: Bool

    init(_ row: Row) {
        id = row["ID"]
        customer = row["Customer"]
        rooms = row["Rooms"]
        amount = row["Amount"]
        note = row["Note"]
        day = (row["Day"] as String?).flatMap { EdmDate($0) }
        isDone = row["IsDone"]
    }

    var fields: [String] {
        ["\(id)", customer, "\(rooms)", "\(amount ?? 0)", note ?? "-", "\(day as Any)", "\(isDone)"]
    }
}

extension Visits {
    var fields: [String] {
        ["\(id)", customer, "\(rooms)", "\(amount ?? 0)", note ?? "-", "\(day as Any)", "\(isDone)"]
    }
}
