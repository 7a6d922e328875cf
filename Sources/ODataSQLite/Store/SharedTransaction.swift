import GRDB
import GRDBSQLite

/// Carries out short changes one after the other in as few transactions as possible: SQLite synchronises the device once
/// for all changes of a transaction.
///
/// Each change has a savepoint, so that one that fails is rolled back alone. A caller gets the result of its change
/// after the commit; if that fails, all changes have failed.
struct SharedTransaction {
    let opened: OpenedFile
    let db: Database

    func carryOut(_ changes: [any WaitingChange]) { commit(changes.filter { $0.begin() }[...]) }

    private func commit(_ changes: ArraySlice<any WaitingChange>) {
        var open = changes
        while !open.isEmpty { open = commitSome(of: open) }
    }

    /// - Returns: The changes that are still to be carried out.
    private func commitSome(of changes: ArraySlice<any WaitingChange>) -> ArraySlice<any WaitingChange> {
        var done: [Attempt] = []
        do {
            try opened.transaction(in: db) { db in
                done = changes.count == 1 ? try alone(changes) : try together(changes)
                return done.contains { $0.failure == nil } ? .commit : .rollback
            }
        } catch let end as TransactionEnd {
            commit(changes[..<end.position])
            commit(changes[end.position...end.position])
            return changes[(end.position + 1)...]
        } catch {
            for change in changes { change.end(error) }
            return []
        }
        if done.contains(where: { $0.failure == nil }) { opened.didWrite(db) }
        for attempt in done { attempt.change.end(attempt.failure) }
        return changes.dropFirst(done.count)
    }

    private func alone(_ changes: ArraySlice<any WaitingChange>) throws -> [Attempt] {
        try changes.map { change in
            try change.apply(in: db)
            return Attempt(change: change)
        }
    }

    /// - Throws: ``TransactionEnd``.
    private func together(_ changes: ArraySlice<any WaitingChange>) throws -> [Attempt] {
        let end = ContinuousClock.now + opened.waiting.duration
        var done: [Attempt] = []
        for position in changes.indices {
            if !done.isEmpty, .now > end { break }
            do {
                try inSavepoint(changes[position])
                done.append(Attempt(change: changes[position]))
            } catch {
                guard db.isInsideTransaction else { throw TransactionEnd(position: position) }
                done.append(Attempt(change: changes[position], failure: error))
            }
        }
        return done
    }

    private func inSavepoint(_ change: any WaitingChange) throws {
        try db.inSavepoint {
            try change.apply(in: db)
            try requireKeptForeignKeys()
            return .commit
        }
    }

    /// Deferred foreign keys are checked by `COMMIT` only, which would fail for all changes.
    private func requireKeptForeignKeys() throws {
        var (count, highest) = (CInt(0), CInt(0))
        sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
        guard count == 0 else {
            throw DatabaseError(
                resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed")
        }
    }

    /// A change that was carried out, or why it was not.
    private struct Attempt {
        let change: any WaitingChange
        var failure: (any Error)?
    }

    /// SQLite has rolled the transaction back with the change that failed: `RAISE(ROLLBACK)` in a trigger,
    /// `ON CONFLICT ROLLBACK`, a statement that took too long, a full disk. The changes before it are carried out again,
    /// then this one by itself.
    private struct TransactionEnd: Error {
        let position: Int
    }
}

/// A change that can share a transaction with others.
protocol WaitingChange: Sendable {
    /// - Returns: False if the caller was cancelled. Otherwise the caller waits from now on, even if it is cancelled.
    func begin() -> Bool
    /// Called once more if the transaction was rolled back.
    func apply(in db: Database) throws
    /// The transaction was committed, or the change has failed.
    func end(_ failure: (any Error)?)
}
