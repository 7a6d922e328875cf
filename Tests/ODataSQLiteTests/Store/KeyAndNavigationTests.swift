import ByteStreams
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Keys and relations as the file compares them")
struct KeyAndNavigationTests {
    @Test("A GUID in text is one key in capitals and in small letters")
    func guidKeys() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id UUID PRIMARY KEY, n TEXT);
            INSERT INTO t VALUES ('01234567-89AB-CDEF-0123-456789ABCDEF', 'x');
            """)
        let store = try file.store()
        let guid = try #require(EdmGuid("01234567-89ab-cdef-0123-456789abcdef"))
        let refused = await message { _ = try await store.create("t", ["id": .guid(guid), "n": .string("y")]) }
        #expect(refused.contains("t.id"))
        #expect(await code { _ = try await store.create("t", ["id": .guid(guid)]) } == .conflict)
        #expect(try file.value("SELECT count(*) FROM t") == "1")
    }

    @Test("Both directions of a relation compare as the referenced column does")
    func collations() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(code TEXT COLLATE NOCASE PRIMARY KEY, n TEXT);
            CREATE TABLE c(id INTEGER PRIMARY KEY, p_id TEXT REFERENCES p(code));
            INSERT INTO p VALUES ('abc', 'x'); INSERT INTO c VALUES (1, 'ABC'), (2, 'abc');
            """)
        let store = try file.store()
        #expect(try await store.entity("c(1)/p")?["code"] == .string("abc"))
        #expect(try await store.entities("p('abc')/c").count == 2)
        #expect(try await store.entities("p?$filter=c/any(x:x/id eq 1)").count == 1)
        let parent = try #require(try await store.entities("p?$expand=c").first)
        guard case .many(let children, _)? = parent.expanded["c"] else {
            Issue.record("not expanded")
            return
        }
        #expect(children.count == 2)
        for child in try await store.entities("c?$expand=p") {
            guard case .one(let related?)? = child.expanded["p"] else {
                Issue.record("\(child) has no parent")
                continue
            }
            #expect(related["code"] == .string("abc"))
        }
    }

    @Test("A reference to an entity that does not exist is a conflict that names it")
    func missingReferences() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let missing = EntityReference.path(try store.path("Category(99)"))
        let bound = await message {
            _ = try await store.create(
                "Product", ["Name": .string("x")],
                bindings: [.init(navigation: "Category", references: [missing])])
        }
        #expect(bound.contains("Category(99)"))
        #expect(
            await code { _ = try await store.change("Product(1)/Category", .addReference(missing)) } == .badRequest)
    }

    @Test(
        "A stream must be a BLOB column that is there",
        arguments: [("Nope", "Nope"), ("Name", "declared TEXT"), ("CategoryID", "INTEGER")])
    func mediaColumns(column: String, reason: String) async throws {
        let file = try Shop.file()
        let refused = await message {
            _ = try file.store { $0.media = [MediaColumn(set: "Category", column: column)] }
        }
        #expect(refused.contains(reason) && refused.contains(column))
    }

    @Test(
        "The type that a stream came with is kept until another program changes the stream", arguments: [true, false])
    func declaredTypes(tracksChanges: Bool) async throws {
        let file = try Shop.file()
        func open() throws -> SQLiteStore {
            try file.store {
                $0.media = [MediaColumn(set: "Photo", column: "Image")]
                $0.tracksChanges = tracksChanges
            }
        }
        let store = try open()
        let text = MediaContent(ByteContent(Array("<a/>".utf8)), contentType: "image/svg+xml")
        _ = try await store.change("Photo(1)/$value", .replaceStream(text))
        #expect(try await store.stream("Photo(1)/$value").contentType == "image/svg+xml")
        #expect(try await store.entity("Photo(1)")?.media?.contentType == "image/svg+xml")
        #expect(try await open().stream("Photo(1)/$value").contentType == "image/svg+xml")
        try file.execute("UPDATE Photo SET Image = x'FFD8FF' WHERE PhotoID = 1")
        #expect(try await store.stream("Photo(1)/$value").contentType == "image/jpeg")
        let plain = MediaContent(ByteContent([0x25, 0x50, 0x44, 0x46, 0x2D]), contentType: "application/octet-stream")
        _ = try await store.change("Photo(1)/$value", .replaceStream(plain))
        #expect(try await store.stream("Photo(1)/$value").contentType == "application/pdf")
    }

    @Test("Stream versions of a file of an earlier release are kept")
    func earlierVersions() async throws {
        let file = try Shop.file()
        try file.execute(
            """
            CREATE TABLE odata_store_streams (tbl TEXT NOT NULL, key TEXT NOT NULL, col TEXT NOT NULL,
              version TEXT NOT NULL, PRIMARY KEY (tbl, key, col)) WITHOUT ROWID;
            """)
        #expect(try await file.store { $0.isReadOnly = true }.bytes("Category(1)/Picture").count == 4)
        let store = try file.store()
        let csv = MediaContent(ByteContent([1]), contentType: "text/csv")
        _ = try await store.change("Category(1)/Picture", .replaceStream(csv))
        #expect(try await store.stream("Category(1)/Picture").contentType == "text/csv")
    }
}
