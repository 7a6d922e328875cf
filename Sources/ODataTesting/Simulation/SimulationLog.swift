import GRDB

/// Triggers in the file of a simulated service: they see what any request does, and in which order.
enum SimulationLog {
    static func create(in db: Database) throws {
        try db.execute(
            sql: "CREATE TABLE simulation_log (seq INTEGER PRIMARY KEY, kind TEXT, marker TEXT, value TEXT)")
        for set in SimulatedService.sets + [SimulatedService.singleton] {
            for (event, row) in [("INSERT", "NEW"), ("DELETE", "OLD")] {
                try trigger(
                    "\(set)_\(event)", "\(event) ON \(set)", "VALUES ('\(event.lowercased())', \(row).Marker, NULL)",
                    in: db)
            }
            for property in ["First", "Second"] {
                try change(of: property, in: set, as: property, in: db) { "\($0).\(property)" }
            }
        }
        for set in ["Jobs", "Parts"] {
            for member in SimulatedService.placeMembers {
                // A column of JSON.
                try change(of: "Place", in: set, as: "Place/\(member)", in: db) {
                    "json_extract(\($0).Place, '$.\(member)')"
                }
            }
        }
        let job = "(SELECT Marker FROM Jobs WHERE ID = NEW.JobID)"
        try change(of: "JobID", in: "Parts", as: "parent", logged: job, in: db) { "\($0).JobID" }
        for (event, row, kind) in [("INSERT", "NEW", "link"), ("DELETE", "OLD", "unlink")] {
            // The links of what is deleted go with it.
            try trigger(
                kind, "\(event) ON \"Jobs$Labels\"",
                """
                SELECT '\(kind)', j.Marker, l.Marker FROM Jobs j, Labels l
                WHERE j."$id" = \(row).source AND l."$id" = \(row).target
                """, in: db)
        }
        // Room is made first, then the bytes are written, then the stream gets its version.
        try trigger(
            "stream", "INSERT ON odata_store_streams",
            """
            SELECT 'stream', Marker, CAST(substr("$media", 1, instr("$media", x'20') - 1) AS TEXT) FROM Pictures
            WHERE json_array(CASE typeof(ID) WHEN 'blob' THEN hex(ID) ELSE ID END) = NEW.key
            AND substr("$media", 1, 1) <> x'00'
            """, in: db)
    }

    /// - Parameters:
    ///   - kind: What the log calls it.
    ///   - logged: What the log has as the value, if not the value itself.
    ///   - value: The value in `NEW` or `OLD`.
    private static func change(
        of column: String, in set: String, as kind: String, logged: String? = nil, in db: Database,
        value: (String) -> String
    ) throws {
        let (new, old) = (value("NEW"), value("OLD"))
        let line = "VALUES ('\(kind)', NEW.Marker, \(logged ?? new))"
        try trigger("\(set)_new_\(kind)", "INSERT ON \(set) WHEN \(new) IS NOT NULL", line, in: db)
        try trigger("\(set)_\(kind)", "UPDATE OF \(column) ON \(set) WHEN \(new) IS NOT \(old)", line, in: db)
    }

    private static func trigger(_ name: String, _ event: String, _ line: String, in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TRIGGER "simulation_\(name)" AFTER \(event) BEGIN
                INSERT INTO simulation_log (kind, marker, value) \(line); END
                """)
    }
}
