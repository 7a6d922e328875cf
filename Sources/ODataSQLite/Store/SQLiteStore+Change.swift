import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores

extension SQLiteStore {
    public func change(_ request: ChangeRequest) async throws -> ChangeResult {
        do {
            guard let result = try await apply([request]).changes.first else {
                throw ODataError.noResult(of: "The change")
            }
            return result
        } catch {
            var error = ODataError.change(error, schema: schema)
            error.requestIndex = nil
            throw error
        }
    }

    public func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        do { return try await apply(requests).changes } catch { throw ODataError.change(error, schema: schema) }
    }

    /// Executes the change in one transaction, which begins when all streams have been received and which a
    /// cancellation does not stop.
    private func apply(
        _ requests: [ChangeRequest], calls: [PreparedCall] = []
    ) async throws -> (changes: [ChangeResult], calls: [OperationResult]) {
        try checkIsWritable()
        var changes: [PreparedChange] = []
        do {
            for (index, request) in requests.enumerated() {
                do {
                    if requests.count == 1 { try await checkTarget(of: request) }
                    changes.append(try await PreparedChange(request, intake))
                } catch { throw ODataError.change(error, schema: schema).at(index) }
            }
            let results = try await carryOut(changes, calls)
            // A repetition writes no rows.
            let haveRows = calls.isEmpty && requests.allSatisfy { $0.repeatability == nil }
            await removeReleasedFiles(of: changes, haveRows: haveRows)
            return results
        } catch {
            await removeReleasedFiles(of: changes)
            throw error
        }
    }

    private func carryOut(
        _ prepared: [PreparedChange], _ calls: [PreparedCall]
    ) async throws -> (changes: [ChangeResult], calls: [OperationResult]) {
        // Receiving a long stream takes time.
        let isLimited = prepared.allSatisfy { $0.upload == nil }
        let scope = (calls.first?.change ?? prepared.first)?.request.scope
        let limit = isLimited ? scope?.timeLimit : nil
        let log = repeatabilityLog
        guard calls.isEmpty, prepared.count == 1, prepared[0].isShort else {
            return try await write(within: limit) { [self] in try carryOut(prepared, calls, once: log, in: $0) }
        }
        return try await writeTogether(within: limit) { [self] in try carryOut(prepared, calls, once: log, in: $0) }
    }

    private func carryOut(
        _ prepared: [PreparedChange], _ calls: [PreparedCall], once log: RepeatabilityLog, in db: Database
    ) throws -> (changes: [ChangeResult], calls: [OperationResult]) {
        var changes = DirectChangeSet(access(db))
        let (given, made) = try log.take(calls, in: db)
        let results = try prepared.enumerated().map { index, change -> ChangeResult in
            guard !made.contains(index) else { return ChangeResult(.updated) }
            do { return try changes.apply(change, once: log) } catch {
                throw ODataError.change(error, schema: schema).at(index)
            }
        }
        try streamFiles?.collectReleased(in: db)
        if let changeLog, isTimeToPrune() { try changeLog.prune(in: db) }
        return (results, given)
    }

    var intake: StreamIntake {
        StreamIntake(
            limit: configuration.streamLimit ?? (streamFiles?.takesStreams == true ? .max : 1_000_000_000),
            folder: URL(fileURLWithPath: path).deletingLastPathComponent().path, files: streamFiles)
    }

    /// Removes the files of streams that are no longer in a row. After a failure the next change tries again, and so
    /// does the next store of the file.
    ///
    /// - Parameters:
    ///   - changes: The changes whose streams are now in rows, or will not be.
    ///   - haveRows: Whether each stream was written into a row.
    func removeReleasedFiles(of changes: [PreparedChange] = [], haveRows: Bool = false) async {
        guard let streamFiles else { return }
        streamFiles.release(changes.compactMap { $0.upload?.reference }, haveRows: haveRows)
        guard streamFiles.hasReleased else { return }
        // This is done even if the request was cancelled.
        let task = Task { try await write { try streamFiles.sweep(in: $0) } }
        _ = try? await task.value
    }

    private func checkIsWritable() throws {
        guard !configuration.isReadOnly else { throw ODataError(.methodNotAllowed, "The service is read-only.") }
    }

    private var repeatabilityLog: RepeatabilityLog {
        RepeatabilityLog(
            lifetime: configuration.repeatabilityLifetime, now: configuration.now(), parser: parser,
            model: schema.model)
    }

    /// Checks before a stream is received whether it can be stored.
    func checkTarget(of request: ChangeRequest) async throws {
        guard case .entitySet = request.target.root, request.repeatability == nil else { return }
        switch request.operation {
        case .createMedia:
            try await reading { [self] db in
                _ = try DirectChangeSet(access(db)).planner.insertionPlace(at: request.target)
            }
        case .replaceStream:
            try await reading { [self] db in _ = try DirectChangeSet(access(db)).planner.streamTarget(request) }
        default: break
        }
    }

    /// Checks before the properties of an entity are read whether they can be stored.
    func checkUpdate(_ request: ChangeRequest) async throws {
        guard case .update = request.operation, case .entity = request.target.target else { return }
        try await reading { [self] db in _ = try DirectChangeSet(access(db)).planner.updateTarget(request) }
    }

    func access(_ db: Database) -> RowAccess {
        RowAccess(
            schema: schema, executor: executor, parser: parser, db: db,
            now: EdmDateTimeOffset(secondsSinceEpoch: configuration.now()), newGuid: configuration.newGuid)
    }

    /// Once in a thousand transactions.
    private func isTimeToPrune() -> Bool {
        writes.withLock { writes in
            writes += 1
            return writes.isMultiple(of: 1000)
        }
    }
}

extension SQLiteStore: ActionRecordingStore {
    package func recorded(_ call: ChangeRequest) async throws -> OperationResult? {
        try checkIsWritable()
        let change = try await PreparedChange(call, intake)
        let log = repeatabilityLog
        do { return try await reading { db in try log.result(ofCall: change, in: db) } } catch {
            throw ODataError.storage(error)
        }
    }

    package func changeSet(
        _ changes: [ChangeRequest], calls: [RepeatableCall]
    ) async throws -> (changes: [ChangeResult], calls: [OperationResult]) {
        do {
            var prepared: [PreparedCall] = []
            for call in calls {
                prepared.append(try await PreparedCall(call, intake))
            }
            return try await apply(changes, calls: prepared)
        } catch { throw ODataError.change(error, schema: schema) }
    }
}

extension DirectChangeSet {
    /// Applies a change, unless the log has the result of an earlier execution.
    fileprivate mutating func apply(_ change: PreparedChange, once log: RepeatabilityLog) throws -> ChangeResult {
        if var earlier = try log.result(of: change, in: rows.db) {
            guard let path = earlier.path, let row = try rows.row(at: path) else { return earlier }
            if let id = change.request.contentID { made[id] = row }
            if change.request.returnPreference != .minimal {
                earlier.entity = try rows.access.entity(at: rows.path(of: row))
            }
            return earlier
        }
        var result = try apply(change)
        result.isRepeatable = change.request.repeatability != nil
        try log.record(result, of: change, in: rows.db)
        return result
    }
}

extension ODataError {
    fileprivate func at(_ index: Int) -> ODataError {
        var error = self
        error.requestIndex = index
        return error
    }
}
