import Foundation
import GRDB
import ODataOffline
import ODataOnline
import ODataService
import ODataStores
import ODataTransport
import Synchronization

/// A device of a simulated run: an offline store, a bad connection, and a process that may be killed.
final class SimulatedDevice: Sendable {
    private struct Life: Sendable {
        var number: Int
        var line: KillSwitch
        var store: OfflineStore
    }

    private let environment: DeviceEnvironment
    private let life: Mutex<Life>

    var number: Int { environment.number }
    var killSwitch: KillSwitch { life.withLock { $0.line } }
    var store: OfflineStore { life.withLock { $0.store } }

    init(_ environment: DeviceEnvironment) async throws {
        self.environment = environment
        let line = environment.killSwitch(0)
        let store = try environment.store(0, line)
        life = Mutex(Life(number: 0, line: line, store: store))
        try await store.open()
        for query in environment.queries { try store.addQuery(query) }
        try await store.download()
    }

    /// Starts the next process on what the last one, which was killed, has left.
    func revive() async throws {
        if let problem = killSwitch.problem { throw SimulationError(message: problem) }
        let dead = life.withLock { $0.number }
        try store.close()
        try FileManager.default.removeItem(atPath: environment.folder(dead))
        let line = environment.killSwitch(dead + 1)
        let next = try environment.store(dead + 1, line)
        life.withLock { $0 = Life(number: dead + 1, line: line, store: next) }
        try await next.open()
    }

    /// The words of all requests that wait.
    func waiting() async throws -> Set<String> {
        try await store.queueEntries().reduce(into: []) { $0.formUnion($1.tokens) }
    }

    /// Closes the store and says what is wrong with its files.
    func problems() async throws -> [String] {
        let folder = environment.folder(life.withLock { $0.number })
        let check = try await store.check()
        var problems = check.isSound ? [] : ["\(check)"]
        try store.close()
        problems += try await StreamFileAudit(folder: folder).problems
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".sqlite") {
            let queue = try DatabaseQueue(path: "\(folder)/\(name)")
            let lines = try await queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
            try queue.close()
            if lines != ["ok"] { problems += lines.map { "\(name): \($0)" } }
        }
        return problems.map { "device \(number): \($0)" }
    }
}

/// The state of a device that outlives its process.
final class DeviceEnvironment: Sendable {
    let number: Int
    private let setup: SimulationSetup
    private let connection: FaultTransport
    private let decisions: SimulatedDecisions
    private let base: String
    private let random: Mutex<SplitMix>
    private let clock = Mutex(SimulatedClock.start)

    init(
        number: Int, setup: SimulationSetup, connection: FaultTransport, decisions: SimulatedDecisions, base: String,
        seed: UInt64
    ) {
        self.number = number
        self.setup = setup
        self.connection = connection
        self.decisions = decisions
        self.base = base
        random = Mutex(SplitMix(seed: seed))
    }

    var queries: [DefiningQuery] {
        setup.sets.map { set in
            DefiningQuery(
                name: set.lowercased(), query: set == "Jobs" && !setup.quirks.hidesLabels ? "Jobs?$expand=Labels" : set,
                retrievesStreams: set == "Pictures", refresh: setup.refresh, checksStreams: setup.quirks.hidesETags)
        }
    }

    private var root: String { setup.dialect == .version4 ? "http://service.test/" : "http://service.test/v2/" }

    func folder(_ life: Int) -> String { "\(base)/device\(number)-\(life)" }

    func killSwitch(_ life: Int) -> KillSwitch {
        KillSwitch(snapshot: FolderSnapshot(source: folder(life), target: folder(life + 1)))
    }

    func store(_ life: Int, _ killSwitch: KillSwitch) throws -> OfflineStore {
        var online = OnlineStore.Configuration()
        online.batchEncoding = setup.batchEncoding
        online.legacy.format = setup.dialect == .v2Atom ? .atom : .json
        if setup.repeatsFailedRequests {
            online.middleware = [
                RetryMiddleware(pause: { _ in }, random: { 0.5 }, now: { SimulatedClock.start })
            ]
        }
        let transport = KillableTransport(next: connection, killSwitch: killSwitch)
        let remote = try OnlineStore(
            serviceRoot: root, transport: transport, configuration: online)
        return try OfflineStore(folder: folder(life), remote: remote, configuration: configuration(killSwitch))
    }

    /// One request at a time, in an order that depends on the seed alone.
    private func configuration(_ killSwitch: KillSwitch) -> OfflineStore.Configuration {
        var configuration = OfflineStore.Configuration()
        configuration.parallelQueries = 1
        configuration.parallelStreams = 1
        configuration.readsAhead = false
        configuration.changesSurvivePowerLoss = false
        configuration.batchSize = setup.batchSize
        configuration.exactlyOnce = setup.exactlyOnce
        configuration.conflictResolver = .custom { [decisions] in decisions.resolve($0) }
        configuration.unconfirmed = { [decisions] in await decisions.decide($0) }
        configuration.pause = { _ in }
        configuration.now = { [self] in
            killSwitch.call()
            let seconds = clock.withLock { clock in
                clock += 1
                return clock
            }
            return Date(timeIntervalSince1970: Double(seconds))
        }
        configuration.random = { [self] in
            killSwitch.call()
            return random.withLock { $0.next() }
        }
        return configuration
    }
}

/// Why a simulated run could not continue.
struct SimulationError: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
}
