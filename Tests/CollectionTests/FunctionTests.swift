import OData
import Testing

@Suite("Functions and operators of conditions, over every store")
struct FunctionTests {
    private typealias Example = ConditionExample<Reading.Fields>

    private static let texts: [Example] = [
        .init("endswith(Word,'mp')", [2]) { $0.word.hasSuffix("mp") },
        .init("matchesPattern(Word,'^[Pp]ump')", [2, 3]) { $0.word.matches("^[Pp]ump") },
        .init("indexof(Word,'mp') eq 2", [2, 3]) { $0.word.index(of: "mp") == 2 },
        .init("indexof(Word,'mp') eq -1", [1]) { $0.word.index(of: "mp") == -1 },
        .init("substring(Word,4) eq 'house'", [3]) { $0.word.dropFirst(4) == "house" },
        .init("substring(Word,0,4) eq 'pump'", [2]) { $0.word.prefix(4) == "pump" },
        .init("toupper(Word) eq 'PUMP'", [2]) { $0.word.uppercased() == "PUMP" },
        .init("trim(Word) eq 'Valve'", [1]) { $0.word.trimmed() == "Valve" },
    ]

    private static let numbers: [Example] = [
        .init("Amount mod 2 eq 1", [1]) { $0.amount % 2 == 1 },
        .init("Amount div 2 eq 3", [1]) { $0.amount / 2 == 3 },
        .init("Amount div 2 eq -3", [3]) { $0.amount / 2 == -3 },
        .init("Amount div ID gt 6", [1]) { $0.amount / $0.id > 6 },
        .init("Total div 2 gt 1", [1, 3]) { $0.total / 2 > 1 },
        .init("-Amount gt 0", [3]) { -$0.amount > 0 },
        .init("round(Share) eq 2.0", [2]) { $0.share.rounded() == 2 },
        .init("floor(Share) eq 1.0", [1, 2]) { $0.share.floor() == 1 },
        .init("ceiling(Share) eq 2.0", [1, 2]) { $0.share.ceiling() == 2 },
        .init("round(Total) eq 3", [1, 3]) { $0.total.rounded() == 3 },
        .init("floor(Total) eq -2", [2]) { $0.total.floor() == -2 },
        .init("ceiling(Total) eq -1", [2]) { $0.total.ceiling() == -1 },
    ]

    private static let times: [Example] = [
        .init("year(Day) eq 2024", [1, 3]) { $0.day.year == 2024 },
        .init("month(Day) eq 12", [2, 3]) { $0.day.month == 12 },
        .init("day(Day) eq 29", [1]) { $0.day.day == 29 },
        .init("year(At) eq 2025", [3]) { $0.at.year == 2025 },
        .init("month(At) eq 2", [1]) { $0.at.month == 2 },
        .init("day(At) eq 1", [2, 3]) { $0.at.day == 1 },
        .init("hour(At) eq 23", [1]) { $0.at.hour == 23 },
        .init("minute(At) eq 45", [3]) { $0.at.minute == 45 },
        .init("second(At) eq 15", [1]) { $0.at.second == 15 },
        .init("date(At) eq Day", [1, 2]) { $0.at.date == $0.day },
        .init("time(At) gt Clock", [1, 3]) { $0.at.time > $0.clock },
        .init("At lt now()", [1, 2, 3]) { $0.at < QueryOperand<EdmDateTimeOffset>.now },
        .init("hour(Clock) eq 18", [2]) { $0.clock.hour == 18 },
        .init("minute(Clock) eq 59", [1]) { $0.clock.minute == 59 },
        .init("second(Clock) eq 1", [3]) { $0.clock.second == 1 },
    ]

    private static let flags: [Example] = [
        .init("Rights has Log.Rights'Write'", [1]) { $0.rights.has(.write) },
        .init("Rights has Log.Rights'Read'", [1, 2]) { $0.rights.has(.read) },
        .init("Rights has Log.Rights'Read,Write'", [1]) { $0.rights.has([.read, .write]) },
        .init("IsOpen", [1]) { $0.isOpen },
        .init("not IsOpen", [2]) { !$0.isOpen },
    ]

    @Test("their texts, and what they find", arguments: StoreKind.allCases)
    func finding(kind: StoreKind) async throws {
        let shop = try await Shop(
            kind, metadata: Reading.metadata, entities: Reading.entities, sets: ["Readings"])
        for example in Self.texts + Self.numbers + Self.times + Self.flags {
            #expect(example.condition.text == example.text)
            let readings = shop.collections.of(Reading.self, in: "Readings").where { _ in example.condition }
            let found = try await readings.orderBy(\.id).findAll()
            #expect(found.map(\.id) == example.keys, "\(example.text)")
        }
    }
}

private struct Rights: FlagsValue {
    private static let members: [EdmEnumType.Member] = [.init(name: "Read", value: 1), .init(name: "Write", value: 2)]
    static let type = EdmEnumType(
        name: EdmQualifiedName("Log.Rights"), underlyingType: .int32, isFlags: true, members: members)

    static let read = Rights(rawValue: 1)
    static let write = Rights(rawValue: 2)

    let rawValue: Int64
    var unknownMembers: Set<String> = []

    init(rawValue: Int64) { self.rawValue = rawValue }
}

/// What a meter showed, with properties of all types that functions take.
private struct Reading: TypedEntity {
    static let typeName = EdmQualifiedName("Log.Reading")
    static let propertyNames = ["ID"]
    static let keyNames = ["ID"]
    static let navigationNames: [String] = []

    var id: Int32
    var origin: EntityOrigin<Reading>?

    init(_ row: TypedRow) throws(ODataError) { id = try row.value(0) }
    func value(at index: Int) -> EdmValue? { id.edm }
    func related(at index: Int) -> RelatedEntities? { nil }
    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
        var word: QueryOperand<String> { path.property("Word") }
        var amount: QueryOperand<Int32> { path.property("Amount") }
        var share: QueryOperand<Double> { path.property("Share") }
        var total: QueryOperand<EdmDecimal> { path.property("Total") }
        var day: QueryOperand<EdmDate> { path.property("Day") }
        var at: QueryOperand<EdmDateTimeOffset> { path.property("At") }
        var clock: QueryOperand<EdmTimeOfDay> { path.property("Clock") }
        var rights: QueryOperand<Rights> { path.property("Rights") }
        var isOpen: QueryOperand<Bool> { path.property("IsOpen") }
    }

    static let entities: [StoredEntity] = [
        stored(
            1, " Valve ", 7, 1.4, "2.5", ("2024-02-29", "2024-02-29T23:30:15Z", "07:59:30"),
            rights: [.read, .write], isOpen: true),
        stored(
            2, "pump", 4, 1.6, "-1.2", ("2023-12-01", "2023-12-01T00:00:00Z", "18:05:00"),
            rights: .read, isOpen: false),
        stored(3, "Pumphouse", -7, -0.5, "3", ("2024-12-31", "2025-01-01T12:45:59Z", "00:00:01")),
    ]

    private static func stored(
        _ id: Int64, _ word: String, _ amount: Int64, _ share: Double, _ total: String,
        _ time: (day: String, at: String, clock: String), rights: Rights? = nil, isOpen: Bool? = nil
    ) -> StoredEntity {
        Shop.stored(
            "Readings",
            [
                "ID": .integer(id), "Word": .string(word), "Amount": .integer(amount), "Share": .double(share),
                "Total": Shop.decimal(total), "Day": value(EdmDate(time.day)), "At": value(EdmDateTimeOffset(time.at)),
                "Clock": value(EdmTimeOfDay(time.clock)), "Rights": value(rights), "IsOpen": value(isOpen),
            ])
    }

    private static func value(_ value: (some PropertyValue)?) -> EdmValue { value?.edm ?? .null }

    static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Log" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Rights" IsFlags="true">
            <Member Name="Read" Value="1"/><Member Name="Write" Value="2"/>
          </EnumType>
          <EntityType Name="Reading"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Word" Type="Edm.String"/>
            <Property Name="Amount" Type="Edm.Int32"/>
            <Property Name="Share" Type="Edm.Double"/>
            <Property Name="Total" Type="Edm.Decimal" Scale="variable"/>
            <Property Name="Day" Type="Edm.Date"/>
            <Property Name="At" Type="Edm.DateTimeOffset"/>
            <Property Name="Clock" Type="Edm.TimeOfDay"/>
            <Property Name="Rights" Type="Log.Rights"/>
            <Property Name="IsOpen" Type="Edm.Boolean"/>
          </EntityType>
          <EntityContainer Name="Container"><EntitySet Name="Readings" EntityType="Log.Reading"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}
