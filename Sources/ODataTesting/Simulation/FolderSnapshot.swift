import Foundation

/// Copies the folder of an offline store that is in use: what a process that is killed at this moment leaves behind.
///
/// All that a process has written is in its files when it is killed, and nothing else. The write-ahead log is copied after
/// its database: it has all that was written into the database meanwhile, unless it was begun anew, which its header
/// reports. What is appended while it is copied counts as a transaction that was not finished.
package struct FolderSnapshot {
    private let source: String
    private let target: String
    private var files: FileManager { .default }

    /// - Parameter target: A folder that is made if there is none.
    package init(source: String, target: String) {
        self.source = source
        self.target = target
    }

    package func take() throws {
        try files.createDirectory(atPath: target, withIntermediateDirectories: true)
        let names = try files.contentsOfDirectory(atPath: source).sorted()
        for name in names where name.hasSuffix(".sqlite") { try copyDatabase(name) }
        // The lock dies with its owner, shared memory is made anew.
        for name in names where !name.contains(".sqlite") && name != "lock" { try copy(name) }
    }

    private func copyDatabase(_ name: String) throws {
        let log = name + "-wal"
        var before: Data
        repeat {
            before = header(of: log)
            try copy(name)
            try copy(log)
        } while header(of: log) != before
    }

    /// Salts and the number of the checkpoint; empty where there is no log.
    private func header(of log: String) -> Data {
        guard let file = FileHandle(forReadingAtPath: "\(source)/\(log)") else { return Data() }
        defer { try? file.close() }
        return ((try? file.read(upToCount: 32)) ?? nil) ?? Data()
    }

    /// A file or folder; nothing where it is gone meanwhile.
    private func copy(_ name: String) throws {
        let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: from, isDirectory: &isFolder) else { return }
        if isFolder.boolValue {
            try FolderSnapshot(source: from, target: to).take()
        } else {
            try Data(contentsOf: URL(fileURLWithPath: from)).write(to: URL(fileURLWithPath: to))
        }
    }
}
