import ODataModel
import ODataStores
import Testing

/// What a download brings is there as it came: the text `NaN` in a column of numbers.
@Suite struct FloatingPointTests {
    private static let schema = """
        <EntityType Name="Number"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="X" Type="Edm.Double"/>
          <Property Name="S" Type="Edm.Single"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Numbers" EntityType="NS.Number"/></EntityContainer>
        """

    static let cases: [(String, String)] = [
        ("Numbers", "NaN NaN; 5 5; INF INF"), ("Numbers?$filter=X gt 1", "5 5; INF INF"),
        ("Numbers?$filter=1 lt X", "5 5; INF INF"),
        ("Numbers?$filter=not (X gt 1)", "NaN NaN"), ("Numbers?$filter=X eq X", "5 5; INF INF"),
        ("Numbers?$filter=X ne S", "NaN NaN"), ("Numbers?$filter=X ne null", "NaN NaN; 5 5; INF INF"),
        ("Numbers?$filter=X le 5", "5 5"), ("Numbers?$filter=S in (5,NaN)", "5 5"),
        ("Numbers?$filter=S ge X", "5 5; INF INF"),
        ("Numbers?$orderby=X desc", "NaN NaN; INF INF; 5 5"), ("Numbers?$orderby=X&$skip=2", "NaN NaN"),
    ]

    @Test func whatIsNotANumberIsKept() async throws {
        let service = try ModelService(schema: Self.schema)
        for (id, value) in [(1, "\"NaN\""), (2, "5"), (3, "\"INF\"")] {
            try await service.create("Numbers", #"{"ID":\#(id),"X":\#(value),"S":\#(value)}"#)
        }
        let device = try await service.device(["Numbers"])
        for (url, expected) in Self.cases {
            let found = try await device.store.entities(try service.parser.query(url))
                .map { "\($0["X"]?.lexical ?? "") \($0["S"]?.lexical ?? "")" }
            #expect(found.joined(separator: "; ") == expected, "\(url)")
        }
    }
}
