import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import Testing

@testable import ODataSQLite

/// Stored values as values of the model, and back.
@Suite struct CodecTests {
    static let stored: [(String, EdmValue)] = [
        ("Flag", .boolean(true)), ("Number", .integer(-5)), ("Real", .double(1.5)), ("Text", .string("Ünï")),
        ("Bytes", .binary([0, 1, 255])), ("Amount", decimal("12.25")), ("Exact", decimal("12345678901234567890.125")),
        ("Guid", guid), ("Guid16", guid),
        ("Day", .date(EdmDate(year: 2024, month: 2, day: 29) ?? .init(daysSinceEpoch: 0))),
        ("Stamp", instant("2024-01-02T03:04:05Z")), ("Epoch", instant("2024-01-02T03:04:05Z")),
        ("Millis", instant("2024-01-02T03:04:05.25Z")), ("Julian", instant("2024-01-02T00:00:00Z")),
        ("Midnight", instant("2024-01-02T00:00:00Z")), ("Moment", instant("2024-01-02T05:04:05.5+02:00")),
        ("Clock", .timeOfDay(EdmTimeOfDay("07:59:59.5") ?? .midnight)),
        ("Span", .duration(EdmDuration(seconds: 5400))),
    ]

    private static let guid =
        EdmValue(lexical: "01234567-89ab-cdef-0123-456789abcdef", type: .primitive(.guid)) ?? .null
    private static func decimal(_ text: String) -> EdmValue { EdmDecimal(text).map(EdmValue.decimal) ?? .null }
    private static func instant(_ text: String) -> EdmValue {
        EdmDateTimeOffset(text).map(EdmValue.dateTimeOffset) ?? .null
    }

    @Test("A stored value is read in the lexical form", arguments: stored)
    func read(_ name: String, _ value: EdmValue) async throws {
        let entity = try #require(try await ShopDatabase().entities("Things?$filter=ID eq 1").first)
        #expect(entity[name] == value)
        #expect(entity[name]?.lexical == value.lexical)
    }

    @Test("A value is bound in the form it is stored in", arguments: stored)
    func bound(_ name: String, _ value: EdmValue) throws {
        let shop = try ShopDatabase()
        let set = try #require(shop.executor.model.entitySet(named: "Things"))
        let column = try #require(try shop.executor.mapping.rows(of: set).columns[name])
        let binding = try column.codec.binding(for: value)
        let found = try shop.pool.read { db in
            try SQLFragment("SELECT \(quoted(name)) IS ? COLLATE NOCASE FROM Things WHERE ID = 1", [binding])
                .integer(in: db)
        }
        #expect(found == 1, "\(binding)")
    }

    @Test("Null is null, and a value that does not fit its codec is too")
    func foreign() async throws {
        let entities = try await ShopDatabase().entities("Things?$filter=ID ge 3")
        let nulls = try #require(entities.first).properties.members.filter { $0.name != "ID" }
        #expect(nulls.allSatisfy { $0.value == .null })
        let odd = try #require(entities.last).properties.members.filter { $0.name != "ID" }
        let kept = odd.filter { $0.value != .null }.map(\.name)
        #expect(kept.allSatisfy { ["Flag", "Bytes"].contains($0) }, "\(kept)")
    }

    static let misfits: [(ColumnCodec, EdmValue)] = [
        (.integer, .string("a")), (.guidText, .string("x")), (.date, .integer(1)), (.blob, .string("x")),
        (.boolean, .integer(2)), (.instantText, .date(EdmDate(daysSinceEpoch: 0))),
    ]

    @Test("A value that a column cannot hold is refused", arguments: misfits)
    func misfit(_ codec: ColumnCodec, _ value: EdmValue) {
        let error = #expect(throws: QueryError.self) { try codec.binding(for: value) }
        #expect(error?.code == .typeMismatch)
    }
}
