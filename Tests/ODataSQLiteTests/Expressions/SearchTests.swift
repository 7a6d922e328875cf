import Testing

@testable import ODataSQLite

/// `$search` with and without a full-text table. [OData-URL, section 5.1.8]
@Suite struct SearchTests {
    static let queries: [(String, String)] = [
        ("bird", "4"), ("BIR", "4"), ("tweety bird", "4"), ("tweety red", ""), ("\"tweety bird\"", "4"),
        ("\"bird tweety\"", ""),
        ("\"tweety bir\"", ""), ("arger", "1 2"), ("Ärger", "1 2"), ("NOT bird", "1 2 3"), ("bird OR red", "1 4"),
        ("arger AND NOT red", "2"), ("NOT (bird OR red)", "2 3"), ("ird", ""), ("nothing", ""),
    ]

    @Test("Words, phrases, AND, OR, NOT", arguments: queries, [true, false])
    func search(_ query: (String, String), _ isIndexed: Bool) async throws {
        let zoo = try MenagerieDatabase(isIndexed: isIndexed)
        #expect(try await zoo.keys("Animals?$search=\(MenagerieDatabase.encoded(query.0))") == query.1)
        #expect(
            try await zoo.keys("Animals?$search=\(MenagerieDatabase.encoded(query.0))&$filter=ID%20lt%203")
                == query.1.split(separator: " ").filter { $0 < "3" }.joined(separator: " "))
    }

    @Test("The full-text table serves it")
    func plan() throws {
        let zoo = try MenagerieDatabase(isIndexed: true)
        let query = try zoo.parser.query("Animals?$search=bird%20OR%20red")
        let sql = try zoo.executor.translator.rows(of: query, shape: try zoo.executor.shape(of: query)).sql
        let plan = try zoo.pool.read { try StatementPlan.plan(sql, in: $0) }
        #expect(plan.contains("VIRTUAL TABLE INDEX"), "\(plan)")
        #expect(plan.contains("SEARCH t0 USING INTEGER PRIMARY KEY"), "\(plan)")
    }
}
