import GRDB
import MediaIndexes
import ODataStores

extension StoreCheck {
    /// Compares the store's streams with the media folder, and lets SQLite check the database.
    mutating func run(
        _ database: StoreDatabase, _ media: FolderIndex, readsStreams: Bool,
        onProgress: (@Sendable (_ bytes: Int64, _ total: Int64) -> Void)?
    ) async throws {
        let (problems, lengths, made) = try await database.reading { db in
            let index = MediaIndex(db: db, schema: nil)
            // The problems report a damaged queue.
            return (Self.problems(in: db), try index.lengths, (try? index.made) ?? [])
        }
        self.database = problems
        // It has no streams.
        guard !database.isCopy else { return }
        do {
            let report = try media.compare(lengths)
            missingStreams = report.missing
            if !report.missing.isEmpty {
                // Another process may have let them go meanwhile.
                let wanted = try await database.reading { db in try MediaIndex(db: db, schema: nil).lengths }
                missingStreams.formIntersection(wanted.keys)
            }
            missingStreams.subtract(try media.evicted)
            damagedStreams = report.truncated
            noteLost(made, lengths)
            guard readsStreams else { return }
            let whole = Set(lengths.keys).subtracting(report.missing).subtracting(report.truncated)
            let total: Int64 = whole.reduce(0) { $0 + ((lengths[$1] ?? nil) ?? 0) }
            var read: Int64 = 0
            let damaged = try await media.damaged(among: whole) { count in
                read += count
                onProgress?(read, total)
            }
            damagedStreams.formUnion(damaged)
            noteLost(made, lengths)
        } catch is CancellationError {
            throw ODataError(.cancelled, "The check was cancelled.")
        } catch {
            throw ODataError.uncheckedFolder(error)
        }
    }

    private static func problems(in db: Database) -> [String] {
        var problems: [String] = []
        do {
            let cursor = try String.fetchCursor(db, sql: "PRAGMA quick_check")
            while let line = try cursor.next() { if line != "ok" { problems.append(line) } }
        } catch {
            // Some damage ends the check.
            problems.append("\(error)")
        }
        return problems
    }

    /// - Parameters:
    ///   - made: The streams that were set here.
    ///   - lengths: Those that the store takes for present.
    private mutating func noteLost(_ made: Set<String>, _ lengths: [String: Int64?]) {
        let bad = missingStreams.union(damagedStreams)
        lostStreams = made.filter { lengths[$0] == nil || bad.contains($0) }
    }
}
