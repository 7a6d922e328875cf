import ArgumentParser
import Foundation
import GRDB

/// Changes of single entities that clients send to a service, beside the same changes of a bare SQLite file, a
/// transaction each: both fully synchronised.
struct ChangesBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "changes")

    @Option(help: "Changes of each kind per round.") var changes = 4_800
    @Option(help: "How many clients send requests at the same time; may be repeated.") var clients = [1, 16]
    @Option var rounds = 5

    func run() async throws {
        try await withTemporaryFolder { folder in
            for count in clients { try await measure(clients: count, in: folder) }
        }
    }

    private func measure(clients: Int, in folder: String) async throws {
        let file = "\(folder)/\(clients).db"
        try await Self.write(file)
        let service = try ServiceProcess(file)
        defer { service.stop() }
        guard let root = URL(string: service.root) else { throw ValidationError("The service has no URL.") }
        let bare = try BareChanges("\(folder)/\(clients)-bare.db")
        var rates: [ChangeKind: [(service: Double, bare: Double)]] = [:]
        for round in 0..<rounds {
            for kind in ChangeKind.allCases {
                let first = round * changes
                rates[kind, default: []].append(
                    (
                        try await rate { try await send(kind, to: root, clients: clients, first: first) },
                        try await rate { try bare.make(kind, first..<first + changes) }
                    ))
            }
        }
        for kind in ChangeKind.allCases {
            let rates = rates[kind] ?? []
            print(
                String(
                    format: "%@, %d clients: %.0f per second, bare SQLite %.0f, ratio %.2f", kind.rawValue, clients,
                    rates.map(\.service).quantile(0.5), rates.map(\.bare).quantile(0.5),
                    rates.map { $0.service / $0.bare }.quantile(0.5)))
        }
    }

    private static func write(_ file: String) async throws {
        try await StreamTables.write(file, files: 1)
        try await DatabaseQueue(path: file).write { try $0.execute(sql: BareChanges.table) }
    }

    private func rate(_ body: () async throws -> Void) async throws -> Double {
        Double(changes) / (try await seconds(body))
    }

    /// Each client has a thread and a connection.
    private func send(_ kind: ChangeKind, to root: URL, clients: Int, first: Int) async throws {
        let share = changes / clients
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                let ids = first + client * share..<first + (client + 1) * share
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(with: Result { try Self.send(kind, ids, to: root) })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func send(_ kind: ChangeKind, _ ids: Range<Int>, to root: URL) throws {
        let connection = try HTTPConnection(root)
        for id in ids {
            switch kind {
            case .post: try connection.send("POST", "/Orders", #"{"ID":\#(id),"Note":"note \#(id)","Amount":1}"#)
            case .patch: try connection.send("PATCH", "/Orders(\(id))", #"{"Note":"changed \#(id)","Amount":2}"#)
            case .delete: try connection.send("DELETE", "/Orders(\(id))")
            }
        }
    }
}

enum ChangeKind: String, CaseIterable {
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// The same changes by SQLite alone: one prepared statement for each kind.
private final class BareChanges {
    static let table = "CREATE TABLE Orders(ID INTEGER PRIMARY KEY, Note TEXT, Amount INTEGER)"
    private let queue: DatabaseQueue

    init(_ file: String) throws {
        queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \(Self.table)")
        }
    }

    func make(_ kind: ChangeKind, _ ids: Range<Int>) throws {
        try queue.writeWithoutTransaction { db in
            let sql =
                switch kind {
                case .post: "INSERT INTO Orders VALUES (?1, ?2, 1)"
                case .patch: "UPDATE Orders SET Note = ?2, Amount = 2 WHERE ID = ?1"
                case .delete: "DELETE FROM Orders WHERE ID = ?1 AND ?2 NOT NULL"
                }
            let statement = try db.makeStatement(sql: sql)
            for id in ids { try statement.execute(arguments: [id, "note \(id)"]) }
        }
    }
}
