import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// Names that hold what SQL, JSON paths or a translator could take for a mark.
@Suite("Tables, columns and texts with braces, quotes, question marks and colons")
struct StrangeNameTests {
    private static let script = #"""
        CREATE TABLE "Boss{link}" ("id{row}" INTEGER PRIMARY KEY, "na?me:x" TEXT);
        INSERT INTO "Boss{link}" VALUES (1, '{row}'), (2, 'b''?');
        CREATE TABLE "p{row}""q?" ("id" INTEGER PRIMARY KEY, "a{row}b" TEXT, "n{link}:1" INTEGER, "q""x'y?" REAL,
            "boss{row}" INTEGER REFERENCES "Boss{link}"("id{row}"), "photo{row}" BLOB);
        INSERT INTO "p{row}""q?" VALUES (1, '{row}', 5, 1.5, 1, x'00ff'), (2, '{link}', 7, 2.5, 1, NULL),
            (3, 'a?b:c', NULL, -1, 2, x'01'), (4, '''"', 5, 0, NULL, NULL);
        """#

    /// Each `url` and the `id` of each entity, or all properties of what `$apply` makes.
    private static let reads: [(url: String, rows: String)] = [
        ("p_row_q", "1 2 3 4"), ("p_row_q(2)", "2"), ("p_row_q?$filter=a_row_b eq '{row}'", "1"),
        ("p_row_q?$filter=a_row_b in ('{link}','a?b:c')", "2 3"), ("p_row_q?$filter=contains(a_row_b,'?')", "3"),
        ("p_row_q?$filter=a_row_b eq '''\"'", "4"), ("p_row_q?$filter=n_link_1 gt 5", "2"),
        ("p_row_q?$filter=n_link_1 eq null", "3"), ("p_row_q?$orderby=q_x_y desc", "2 1 4 3"),
        ("p_row_q?$orderby=a_row_b,id&$top=2&$skip=1", "3 2"),
        ("p_row_q?$filter=ToBoss/na_me_x eq '{row}'", "1 2"),
        ("p_row_q?$orderby=ToBoss/na_me_x desc,id", "1 2 3 4"),
        ("p_row_q?$search=link", "2"), ("p_row_q?$compute=n_link_1 mul 2 as D&$filter=D eq 14", "2"),
        ("Boss_link?$filter=p_row_q/any(p:p/a_row_b eq '{link}')", "1"),
        ("Boss_link?$filter=p_row_q/$count gt 1", "1"), ("Boss_link(1)/p_row_q", "1 2"),
        ("p_row_q?$apply=filter(n_link_1 eq 5)", "1 4"),
    ]

    @Test("Are read, filtered, ordered and searched", arguments: reads)
    func read(_ url: String, _ rows: String) async throws {
        let store = try SampleFile(Self.script).store()
        let type = try #require(store.path("p_row_q").entitySet?.type)
        let boss = try #require(type.navigationProperties.first { !$0.isCollection }?.name)
        let found = try await store.entities(url.replacing("ToBoss", with: boss)).map {
            $0.key?.values.first?.lexical ?? "-"
        }
        #expect(found.joined(separator: " ") == rows)
    }

    @Test("Are expanded, aggregated and have ETags and streams")
    func others() async throws {
        let store = try SampleFile(Self.script).store()
        let expand = "p_row_q($filter=n_link_1 gt 1;$orderby=id desc;$top=1)"
        let bosses = try await store.entities("Boss_link?$expand=\(expand)")
        let members = bosses.map { boss -> [EdmValue?] in
            guard case .many(let members, _) = boss.expanded.first?.value else { return [] }
            return members.map { $0["a_row_b"] }
        }
        #expect(members == [[.string("{link}")], []])
        let groups = try await store.entities(
            "p_row_q?$apply=groupby((n_link_1),aggregate(q_x_y with sum as S,$count as C))&$orderby=n_link_1")
        #expect(groups.map { $0["C"] } == [.integer(1), .integer(2), .integer(1)])
        #expect(groups.map { $0["S"] } == [.double(-1), .double(1.5), .double(2.5)])
        #expect(try await store.entity("p_row_q(1)")?.etag != nil)
        #expect(try await store.bytes("p_row_q(1)/photo_row") == [0, 255])
    }

    @Test("Are created, updated and deleted")
    func changes() async throws {
        let file = try SampleFile(Self.script)
        let store = try file.store()
        _ = try await store.create("p_row_q", ["id": .integer(9), "a_row_b": .string("?{row}"), "q_x_y": .double(4)])
        _ = try await store.update("p_row_q(2)", ["a_row_b": .string("{row}\"'")])
        _ = try await store.change("p_row_q(1)", .delete)
        let rows = try file.values(#"SELECT id, "a{row}b" FROM "p{row}""q?" ORDER BY id"#)
        #expect(rows == ["2|{row}\"'", "3|a?b:c", "4|'\"", "9|?{row}"])
        let etag = try #require(try await store.entity("p_row_q(2)")?.etag)
        _ = try await store.update("p_row_q(2)", ["n_link_1": .integer(1)], ifMatch: etag)
        await #expect(throws: ODataError.self) {
            _ = try await store.update("p_row_q(2)", ["n_link_1": .integer(2)], ifMatch: etag)
        }
    }
}
