import EncryptionKeys
import Foundation
import GRDB
import SQLiteEncryption

/// A folder with an encrypted database; it goes with its last user.
final class TemporaryStore: Sendable {
    let folder: String
    let key: EncryptionKey

    init(key: EncryptionKey = .random()) throws {
        folder = NSTemporaryDirectory() + "sealed-\(UUID().uuidString)"
        self.key = key
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/store.sqlite" }

    func pool(_ configuration: Configuration = Configuration()) throws -> DatabasePool {
        try EncryptedDatabase.openPool(path: path, key: key, configuration: configuration)
    }

    func queue(_ configuration: Configuration = Configuration()) throws -> DatabaseQueue {
        try EncryptedDatabase.openQueue(path: path, key: key, configuration: configuration)
    }

    /// What a kill at this moment would leave.
    func copy() throws -> TemporaryStore {
        let copy = try TemporaryStore(key: key)
        for (name, bytes) in try contents() where !name.hasSuffix("-shm") {
            try bytes.write(to: URL(fileURLWithPath: copy.folder + "/" + name))
        }
        return copy
    }

    /// All files, by their names.
    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) })
    }

    func change(_ suffix: String, _ change: (inout Data) -> Void) throws {
        let url = URL(fileURLWithPath: path + suffix)
        var bytes = try Data(contentsOf: url)
        change(&bytes)
        try bytes.write(to: url)
    }
}

extension Database {
    /// Rows with a text that must not be found in any file, in one transaction.
    func insertSecrets(_ numbers: Range<Int>) throws {
        try execute(sql: "CREATE TABLE IF NOT EXISTS secrets (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        for number in numbers {
            try execute(sql: "INSERT INTO secrets VALUES (?, ?)", arguments: [number, Self.secret(number)])
        }
    }

    static let mark = "Sesame-open!"

    static func secret(_ number: Int) -> String { String(repeating: "\(mark)\(number) ", count: 20) }

    /// How many rows there are, if they are as they were written.
    func countSecrets() throws -> Int {
        guard try tableExists("secrets") else { return 0 }
        let rows = try Row.fetchAll(self, sql: "SELECT id, text FROM secrets ORDER BY id")
        for (number, row) in rows.enumerated() {
            guard row["id"] == number, row["text"] == Self.secret(number) else {
                throw WrongContent(row: "\(row)")
            }
        }
        return rows.count
    }
}

struct WrongContent: Error {
    let row: String
}
