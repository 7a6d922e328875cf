import GRDB

/// Triggers in the file of a simulated service: they see what any request does, and in which order.
enum SimulationLog {
    static func create(in db: Database) throws {
        try db.execute(
            sql: "CREATE TABLE simulation_log (seq INTEGER PRIMARY KEY, kind TEXT, marker TEXT, value TEXT)")
        for set in SimulatedService.sets {
            for (event, row) in [("INSERT", "NEW"), ("DELETE", "OLD")] {
                try trigger(
                    "\(set)_\(event)", "\(event) ON \(set)", "VALUES ('\(event.lowercased())', \(row).Marker, NULL)",
                    in: db)
            }
            for property in ["First", "Second"] {
                try change(of: property, in: set, "VALUES ('\(property)', NEW.Marker, NEW.\(property))", in: db)
            }
        }
        let job = "(SELECT Marker FROM Jobs WHERE ID = NEW.JobID)"
        try change(of: "JobID", in: "Parts", "VALUES ('parent', NEW.Marker, \(job))", in: db)
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

    private static func change(of column: String, in set: String, _ line: String, in db: Database) throws {
        try trigger(
            "\(set)_new_\(column)", "INSERT ON \(set) WHEN NEW.\(column) IS NOT NULL", line, in: db)
        try trigger(
            "\(set)_\(column)", "UPDATE OF \(column) ON \(set) WHEN NEW.\(column) IS NOT OLD.\(column)", line,
            in: db)
    }

    private static func trigger(_ name: String, _ event: String, _ line: String, in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TRIGGER "simulation_\(name)" AFTER \(event) BEGIN
                INSERT INTO simulation_log (kind, marker, value) \(line); END
                """)
    }
}
