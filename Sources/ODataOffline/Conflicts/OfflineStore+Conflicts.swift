import ODataStores

extension OfflineStore {
    /// The conflict that a request in the error archive, or one that waits, is in: what the entity was, what it is
    /// here and what the service had when it was last asked. Nil if there is none.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such request.
    public func conflict(requestID: Int64) async throws -> Conflict? {
        let offline = try offlineModel()
        return try await database.writing { [configuration] db in
            let context = ChangeContext(db: db, offline: offline, configuration: configuration)
            let row = try context.row(changedBy: requestID)
            guard try row.state.contains(.removedThere) || RowVersions(db: db, offline: offline).theirs(of: row) != nil
            else { return nil }
            return try Conflict(.upload, row, error: nil, in: context)
        }
    }

    /// Decides a conflict that was held: the entity's requests are sent with the next upload as the resolution says.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such request, `badRequest` if the merged properties do not
    ///   fit the entity, `conflict` if nothing can be decided: the version of the service is not known, a request
    ///   may have been executed, or an upload runs.
    public func resolve(requestID: Int64, as resolution: Resolution) async throws {
        try await changingQueue("resolving") { try $0.resolve(requestID, as: resolution) }
    }

    /// Lets a request that failed because its entity has changed at the service (412) replace what is there: the same
    /// as ``resolve(requestID:as:)`` with ``Resolution/mine``.
    ///
    /// - Throws: ``ODataError`` as ``resolve(requestID:as:)``.
    public func overwrite(requestID: Int64) throws {
        try transferringNow("overwriting") {
            let offline = try offlineModel()
            try database.writeDurably { db in
                try ChangeContext(db: db, offline: offline, configuration: configuration).resolve(requestID, as: .mine)
            }
        }
    }
}

extension ChangeContext {
    fileprivate func row(changedBy request: Int64) throws -> EntityRow {
        guard let record = try queue.record(request) else {
            throw ODataError(.notFound, "There is no request \(request) in the queue.")
        }
        return try row(record.row, in: schema.table(named: record.set))
    }

    fileprivate func resolve(_ request: Int64, as resolution: Resolution) throws {
        let row = try row(changedBy: request)
        let isKnown =
            try row.state.contains(.removedThere) || RowVersions(db: db, offline: offline).theirs(of: row) != nil
        guard isKnown else {
            throw ODataError(
                .conflict, "What the service has of \(try path(of: row).url) is not known: upload or download first.")
        }
        if case .hold = resolution { return }
        let last = try queue.records(changing: row.id).last?.id ?? request
        guard try ConflictSettlement(context: self, row: row, last: last).settle(resolution) else {
            throw ODataError(
                .conflict,
                "The request \(request) cannot be settled that way: it may have been executed, or makes no entity.")
        }
    }
}
