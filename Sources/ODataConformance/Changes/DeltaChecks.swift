import ODataModel
import ODataStores

/// Delta links.
enum DeltaChecks {
    private static let section = "OData-Protocol 11.3"

    static let all: [ConformanceCheck] = [
        .change("A delta link gives what was created, changed and deleted", section: section, needs: [.deltaLinks]) {
            session in
            let link = try await session.deltaLink("Products")
            try await session.update("Products(1)", ["Stock": 40])
            _ = try await session.change("Products(9)", .delete)
            _ = try await session.create("Products", ["ProductID": 20, "Name": "New"])
            let changes = try await session.changes("Products", since: link)
            try session.expect(
                changes.lines.sorted() == ["changed 1 40", "changed 20 0", "deleted Products(9)"],
                "1 changed, 9 deleted, 20 new", found: changes.lines.joined(separator: ", "))
            let rest = try await session.changes("Products", since: changes.link)
            try session.expect(rest.lines.isEmpty, "no more changes", found: rest.lines.joined(separator: ", "))
        },
        .change("A delta link knows what leaves its filter", section: section, needs: [.deltaLinks]) { session in
            let link = try await session.deltaLink("Products?$filter=Stock gt 30")
            try await session.update("Products(1)", ["Stock": 1])
            try await session.update("Products(2)", ["Stock": 100])
            let changes = try await session.changes("Products?$filter=Stock gt 30", since: link)
            try session.expect(
                changes.lines.contains("changed 2 100"), "2 has come", found: changes.lines.joined(separator: ", "))
            try session.expect(
                changes.lines.contains { $0.hasSuffix("Products(1)") }, "1 has left",
                found: changes.lines.joined(separator: ", "))
        },
        .read("An unknown delta token is gone", section: "OData-Protocol 11.3.4", needs: [.deltaLinks]) { session in
            let request = ReadRequest(
                try session.parser.query("Products"), continuation: "Products?$deltatoken=unknown")
            try await session.expectError(.gone) { _ = try await session.page(request) }
        },
    ]
}

extension ConformanceSession {
    /// Reads all of `url` and returns its delta link.
    fileprivate func deltaLink(_ url: String) async throws -> String {
        var request = ReadRequest(try parser.query(url))
        request.tracksChanges = true
        var link: String?
        repeat {
            let page = try await page(request)
            request.continuation = page.nextLink
            link = page.deltaLink ?? link
        } while request.continuation != nil
        guard let link else { throw ConformanceFailure(expected: "a delta link", found: "none") }
        return link
    }

    /// What changed, with the key and stock of each entity.
    fileprivate func changes(_ url: String, since link: String) async throws -> (lines: [String], link: String) {
        var request = ReadRequest(try parser.query(url), continuation: link)
        request.tracksChanges = true
        var lines: [String] = []
        var last: String?
        repeat {
            guard case .entities(let reader) = try await store.read(request).body else { break }
            request.continuation = nil
            while let block = try await reader.next() {
                lines += block.rows.indices.map { line(row: $0, of: block, reader.shape) }
                request.continuation = block.nextLink ?? request.continuation
                last = block.deltaLink ?? last
            }
        } while request.continuation != nil
        guard let last else { throw ConformanceFailure(expected: "another delta link", found: "none") }
        return (lines, last)
    }

    private func line(row: Int, of block: RowBlock, _ shape: RowShape) -> String {
        guard block.rows[row].change == .entity else {
            let id = block.text(block.rows[row].id) ?? "none"
            let path = (try? path(ofID: id))?.url ?? id
            return block.rows[row].change == .deleted ? "deleted \(path)" : "left \(path)"
        }
        let key = block.key(row: row, shape: shape)?.values.first?.lexical ?? "none"
        let stock = shape.slot(of: "Stock").flatMap { block.value(row: row, slot: $0, shape: shape) }
        return "changed \(key) \(stock?.lexical ?? "none")"
    }
}
