import Foundation
import GRDB
import OData

/// A file with orders, three items each, and the statements that a developer writes who reads it with GRDB.
struct OrderFile {
    let path: String
    let orders: Int

    func fill() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Orders(ID INTEGER PRIMARY KEY, City TEXT, Quantity INTEGER, Amount REAL, Note TEXT,
                        OrderDate DATE);
                    CREATE TABLE Items(ID INTEGER PRIMARY KEY, OrderID INTEGER NOT NULL REFERENCES Orders,
                        Product TEXT, Price REAL);
                    CREATE INDEX OrdersByCity ON Orders(City);
                    CREATE INDEX ItemsByOrder ON Items(OrderID);
                    """)
            for id in 0..<orders {
                try db.execute(
                    sql: "INSERT INTO Orders VALUES (?,?,?,?,?,?)",
                    arguments: [
                        id, "City \(id % 40)", id * 7919 % 1000, Double(id * 104_729 % 100_000) / 7,
                        "Note of order \(id)",
                        "2024-01-\(10 + id % 19)",
                    ])
                for item in 0..<3 {
                    try db.execute(
                        sql: "INSERT INTO Items VALUES (?,?,?,?)",
                        arguments: [id * 3 + item, id, "Product \((id + item) % 500)", Double(item) + 0.5])
                }
            }
        }
        try queue.close()
    }

    /// One statement for the orders, one prepared statement for the items of each; all columns taken.
    ///
    /// - Parameter condition: What follows the table in the statement for the orders.
    static func ordersWithItems(_ condition: String, in db: Database) throws -> Int {
        var rows = 0
        let orders = try db.cachedStatement(sql: "SELECT * FROM Orders \(condition)")
        let items = try db.cachedStatement(sql: "SELECT * FROM Items WHERE OrderID = ? ORDER BY ID")
        for order in try Row.fetchAll(orders) {
            let id: Int64 = order["ID"]
            rows += 1 + (try Row.fetchAll(items, arguments: [id])).count
        }
        return rows
    }

    /// One order by its key, as a prepared statement; all columns taken.
    static func order(_ id: Int, in db: Database) throws -> Int {
        let order = try db.cachedStatement(
            sql: "SELECT ID, City, Quantity, Amount, Note, OrderDate FROM Orders WHERE ID = ?")
        return try Row.fetchOne(order, arguments: [id]) == nil ? 0 : 1
    }
}

extension ODataStore {
    /// Reads all rows of a query, and returns their number.
    func rows(of query: BoundQuery) async throws -> Int {
        var rows = 0
        guard case .entities(let reader) = try await read(ReadRequest(query)).body else { return 0 }
        while let block = try await reader.next() { rows += block.rows.count }
        return rows
    }
}
