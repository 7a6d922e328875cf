import Foundation
import GRDB
import ODataFormats
import ODataModel
import ODataQuery
import ODataSQLite
import ODataService
import ODataStores

/// The service of a simulated run: a file with a log of all that was ever executed.
final class SimulatedService: Sendable {
    /// One line of the log.
    struct Event: Hashable, Sendable {
        /// `insert`, `delete`, or the name of a property.
        var kind: String
        var marker: String
        /// Of `insert` and `delete` the key, a GUID without hyphens.
        var value: String?
    }

    let tables: SQLiteStore
    let moods: MoodyStore
    private let file: DatabaseQueue

    init(path: String, setup: SimulationSetup, moods: FaultDice) async throws {
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = true
        configuration.pageSize = setup.pageSize
        configuration.now = { SimulatedClock.start }
        var rules = TableRules()
        rules.computed = ["Pictures/Marker": .slug]
        let model = try CSDL.read(xml: Array(Self.metadata.utf8)).model
        tables = try SQLiteStore(model: model, path: path, rules: rules, configuration: configuration)
        self.moods = MoodyStore(tables, recognisesRepeats: setup.recognisesRepeats, dice: moods)
        var patient = GRDB.Configuration()
        patient.busyMode = .timeout(10)
        file = try DatabaseQueue(path: path, configuration: patient)
        try await file.write { db in try Self.logChanges(in: db) }
    }

    func close() throws {
        try file.close()
        try tables.close()
    }

    /// Triggers see what any request does, and in which order.
    private static func logChanges(in db: Database) throws {
        try db.execute(
            sql: "CREATE TABLE simulation_log (seq INTEGER PRIMARY KEY, kind TEXT, marker TEXT, value TEXT)")
        for set in sets {
            for property in ["First", "Second"] {
                let log = "INSERT INTO simulation_log (kind, marker, value) VALUES ('\(property)', NEW.Marker, "
                try db.execute(
                    sql: """
                        CREATE TRIGGER simulation_\(set)_new_\(property) AFTER INSERT ON \(set)
                        WHEN NEW.\(property) IS NOT NULL BEGIN \(log)NEW.\(property)); END
                        """)
                try db.execute(
                    sql: """
                        CREATE TRIGGER simulation_\(set)_\(property) AFTER UPDATE OF \(property) ON \(set)
                        WHEN NEW.\(property) IS NOT OLD.\(property) BEGIN \(log)NEW.\(property)); END
                        """)
            }
            for (event, row) in [("INSERT", "NEW"), ("DELETE", "OLD")] {
                let key = "CASE typeof(\(row).ID) WHEN 'blob' THEN hex(\(row).ID) ELSE \(row).ID END"
                try db.execute(
                    sql: """
                        CREATE TRIGGER simulation_\(set)_\(event) AFTER \(event) ON \(set) BEGIN
                        INSERT INTO simulation_log (kind, marker, value)
                        VALUES ('\(event.lowercased())', \(row).Marker, \(key)); END
                        """)
            }
        }
    }

    /// All that happened, in its order.
    func events() async throws -> [Event] {
        try await file.read { db in
            try Row.fetchAll(db, sql: "SELECT kind, marker, value FROM simulation_log ORDER BY seq").map { row in
                Event(kind: row["kind"], marker: row["marker"] ?? "", value: row["value"])
            }
        }
    }
}

/// The time of simulated runs, which does not depend on that of the machine.
enum SimulatedClock {
    /// 2026-01-01, in seconds after 1970.
    static let start: Int64 = 1_767_225_600
}
