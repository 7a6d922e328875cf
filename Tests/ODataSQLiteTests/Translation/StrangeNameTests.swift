import ODataModel
import ODataQuery
import ODataStores
import TestSupport
import Testing

@testable import ODataSQLite

/// Names that hold what SQL, JSON paths or a translator could take for a mark.
@Suite("Tables, columns and texts with braces, quotes, question marks and colons")
struct StrangeNameTests {
    @Test("Are read, filtered, ordered and searched", arguments: StrangeNames.reads)
    func read(_ url: String, _ rows: String) async throws {
        let store = try SampleFile(StrangeNames.script).store()
        let type = try #require(store.path("p_row_q").entitySet?.type)
        let boss = try #require(type.navigationProperties.first { !$0.isCollection }?.name)
        let found = try await store.entities(url.replacing("ToBoss", with: boss)).map {
            $0.key?.values.first?.lexical ?? "-"
        }
        #expect(found.joined(separator: " ") == rows)
    }

    @Test("Are expanded, aggregated and have ETags and streams")
    func others() async throws {
        let store = try SampleFile(StrangeNames.script).store()
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
        let file = try SampleFile(StrangeNames.script)
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
