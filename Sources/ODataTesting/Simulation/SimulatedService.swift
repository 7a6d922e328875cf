import Foundation
import GRDB
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataSQLite
import ODataService
import ODataStores
import Synchronization

/// The service of a simulated run: a file with a log of all that was ever executed.
final class SimulatedService: Sendable {
    /// One line of the log.
    struct Event: Hashable, Sendable {
        /// `insert`, `delete`, `stream`, `link`, `unlink`, `parent`, or the path of a property: `First`, `Place/City`.
        var kind: String
        var marker: String
        /// Of a property, the first word of a stream, the marker of a label or a job.
        var value: String?
    }

    let tables: SQLiteStore
    let moods: SimulatedStore
    private let file: DatabaseQueue
    private let storesUpperCase: Bool

    init(path: String, setup: SimulationSetup, moods: RandomFaults) async throws {
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = true
        configuration.pageSize = setup.pageSize
        configuration.now = { SimulatedClock.start }
        let keys = SimulatedKeys()
        configuration.newGuid = { keys.next() }
        var rules = TableRules()
        rules.computed = ["Pictures/Marker": .slug]
        let model = try CSDL.read(xml: Array(Self.metadata.utf8)).model
        tables = try SQLiteStore(model: model, path: path, rules: rules, configuration: configuration)
        self.moods = SimulatedStore(tables, setup: setup, dice: moods)
        storesUpperCase = setup.quirks.storesUpperCase
        var patient = GRDB.Configuration()
        patient.busyMode = .timeout(10)
        file = try DatabaseQueue(path: path, configuration: patient)
        try await file.write { db in try SimulationLog.create(in: db) }
    }

    func close() throws {
        try file.close()
        try tables.close()
    }

    /// All that happened, in its order; values as the devices gave them.
    func events() async throws -> [Event] {
        let events = try await file.read { db in
            try Row.fetchAll(db, sql: "SELECT kind, marker, value FROM simulation_log ORDER BY seq").map { row in
                Event(kind: row["kind"], marker: row["marker"] ?? "", value: row["value"])
            }
        }
        guard storesUpperCase else { return events }
        return events.map { Event(kind: $0.kind, marker: $0.marker, value: $0.value?.lowercased()) }
    }
}

/// The time of simulated runs, which does not depend on that of the machine.
enum SimulatedClock {
    /// 2026-01-01, in seconds after 1970.
    static let start: Int64 = 1_767_225_600
}

/// The keys of entities that the service makes: the same ones in each run.
private final class SimulatedKeys: Sendable {
    private let random = Mutex(SplitMix(seed: 0))

    func next() -> EdmGuid { random.withLock { .random(using: &$0) } }
}
