import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Change tracking")
struct TrackingTests {
    private func names(_ tracked: Tracked) -> [String] {
        tracked.entities.compactMap { if case .string(let name)? = $0["Name"] { name } else { nil } }.sorted()
    }

    @Test("A delta link gives what other programs changed, also while the service is not running")
    func otherPrograms() async throws {
        let file = try Shop.file()
        var store = try file.store { $0.tracksChanges = true }
        let first = try await store.tracked("Product")
        #expect(names(first) == ["Bread", "Coffee", "Tea"])
        try store.close()
        try file.execute(
            """
            DELETE FROM "Order Item";
            DELETE FROM Product WHERE ProductID = 2;
            UPDATE Product SET Stock = 4 WHERE ProductID = 3;
            INSERT INTO Product(Name) VALUES ('Milk');
            UPDATE Product SET ProductID = 50 WHERE ProductID = 1 AND 0;
            """)
        store = try file.store { $0.tracksChanges = true }
        let delta = try await store.tracked(try #require(first.deltaLink))
        #expect(names(delta) == ["Bread", "Milk"])
        #expect(delta.removed == ["Product(2) deleted"])
        let empty = try await store.tracked(try #require(delta.deltaLink))
        #expect(empty.entities.isEmpty && empty.removed.isEmpty && empty.deltaLink != nil)
    }

    @Test("Triggers log what OR REPLACE, OR IGNORE, key changes and cascades do")
    func conflictClauses() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY, n TEXT UNIQUE);
            CREATE TABLE c(id INTEGER PRIMARY KEY, p INTEGER REFERENCES p ON DELETE CASCADE);
            INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO c VALUES (1, 1), (2, 3);
            """)
        let store = try file.store { $0.tracksChanges = true }
        let p = try #require(try await store.tracked("p").deltaLink)
        let c = try #require(try await store.tracked("c").deltaLink)
        try file.execute(
            """
            UPDATE p SET n = 'x' WHERE id = 2;
            INSERT OR IGNORE INTO p VALUES (2, 'again');
            INSERT OR REPLACE INTO p VALUES (9, 'x');
            UPDATE OR IGNORE p SET n = 'z' WHERE id = 9;
            UPDATE p SET id = 10 WHERE id = 9;
            DELETE FROM p WHERE id = 3;
            """)
        let delta = try await store.tracked(p)
        #expect(delta.removed.sorted() == ["p(2) deleted", "p(3) deleted", "p(9) deleted"])
        #expect(delta.entities.map { $0["id"] } == [.integer(10)])
        #expect(try await store.tracked(c).removed == ["c(2) deleted"])
    }

    @Test("What no longer matches the filter has left; both pages and deltas come in pages")
    func filteredPages() async throws {
        let file = try Shop.file()
        let store = try file.store { $0.tracksChanges = true }
        let first = try await store.tracked("Product?$filter=Stock eq 0&$select=Name", maxPageSize: 1)
        #expect(first.pages == 3 && names(first).count == 3)
        try file.execute(
            "UPDATE Product SET Stock = 4 WHERE ProductID = 3; UPDATE Product SET Note = 'n' WHERE ProductID = 1")
        let delta = try await store.tracked(try #require(first.deltaLink), maxPageSize: 1)
        #expect(delta.pages >= 2)
        #expect(names(delta) == ["Tea"])
        #expect(delta.entities.first?.properties.names == ["Name"])
        #expect(delta.removed == ["Product(3) left"])
    }

    @Test("Changes during the first read come with the delta")
    func duringRead() async throws {
        let file = try Shop.file()
        let store = try file.store { $0.tracksChanges = true }
        var request = ReadRequest(try store.parser.query("Product"))
        request.tracksChanges = true
        request.maxPageSize = 2
        guard case .entities(let reader) = try await store.read(request).body else { return }
        var link: String?
        while let block = try await reader.next() { link = block.nextLink ?? link }
        try file.execute("UPDATE Product SET Note = 'n' WHERE ProductID = 1")
        let rest = try await store.tracked(try #require(link))
        let delta = try await store.tracked(try #require(rest.deltaLink))
        #expect(names(rest) == ["Bread"])
        #expect(names(delta) == ["Tea"])
    }

    @Test("Unknown and too old tokens are gone")
    func gone() async throws {
        let file = try Shop.file()
        let store = try file.store {
            $0.tracksChanges = true
            $0.changeLogLimit = 2
        }
        let link = try #require(try await store.tracked("Product").deltaLink)
        #expect(await code { _ = try await store.tracked("Product?$deltatoken=nonsense") } == .gone)
        #expect(await code { _ = try await store.tracked("Product?$deltatoken=0123456789ABCDEF-0") } == .gone)
        try file.execute("UPDATE Product SET Note = 'n'")
        #expect(try await store.tracked(link).entities.count == 3)
        try store.close()
        let again = try file.store {
            $0.tracksChanges = true
            $0.changeLogLimit = 2
        }
        #expect(await code { _ = try await again.tracked(link) } == .gone)
        let fresh = try #require(try await again.tracked("Product").deltaLink)
        #expect(try await again.tracked(fresh).entities.isEmpty)
        try again.close()
        try file.execute("DROP TRIGGER odata_store_update_Product")
        let third = try file.store {
            $0.tracksChanges = true
            $0.changeLogLimit = 2
        }
        #expect(await code { _ = try await third.tracked(fresh) } == .gone)
    }

    @Test("A stream's change is a change of its entity and of both ETags, at the same length too")
    func streams() async throws {
        for tracks in [true, false] {
            let file = try Shop.file()
            let store = try file.store {
                $0.tracksChanges = tracks
                $0.media = [MediaColumn(set: "Photo", column: "Image")]
            }
            let link = try await store.tracked("Photo").deltaLink
            let before = try #require(try await store.entity("Photo(1)"))
            try file.execute("UPDATE Photo SET Image = x'89504E470D0A1A0A01020305'")
            let after = try #require(try await store.entity("Photo(1)"))
            #expect(after.etag != before.etag)
            #expect(after.media?.etag != before.media?.etag)
            #expect(try await store.tracked(link ?? "Photo").entities.count == 1)
            try file.execute("UPDATE Photo SET Title = 'other'")
            let titled = try #require(try await store.entity("Photo(1)"))
            #expect(titled.media?.etag == after.media?.etag)
            #expect(titled.etag != after.etag)
            #expect(tracks == (link != nil))
        }
    }

    @Test(
        "What is not tracked gets no delta link",
        arguments: [
            "Product?$expand=Category", "Product?$top=2", "Product?$filter=Category/Name eq 'Food'",
            "Category(1)/Product", "Product?$search=Tea", "Product?$apply=filter(ProductID gt 1)", "Product?$skip=1",
        ])
    func untracked(url: String) async throws {
        let store = try Shop.file().store { $0.tracksChanges = true }
        let result = try await store.tracked(url)
        #expect(!result.entities.isEmpty && result.deltaLink == nil)
    }
}
