import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    /// Sets the outcome of an unconfirmed request that the app has determined.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such request, `badRequest` if the key does not belong to the
    ///   request, `conflict` if it is not unconfirmed, if requests wait for a new entity whose key the decision does
    ///   not contain, or if an upload runs. Nothing is decided then.
    public func decide(requestID: Int64, _ decision: UnconfirmedRequest.Decision) async throws {
        try await transferring("decision") {
            let offline = try offlineModel()
            let unproven = try await database.writingDurably { [configuration] db in
                try RequestQueue(db: db).recover()
                let context = StoreTransaction(db: db, offline: offline, configuration: configuration)
                let unproven = try StoreValues(db: db).unproven(of: [requestID])
                try context.decide(requestID, decision)
                return unproven
            }
            if decision.isExecuted { learning.noteExecuted(unproven) }
            try await streams.collect()
        }
    }
}

extension UnconfirmedRequest.Decision {
    fileprivate var isExecuted: Bool {
        switch self {
        case .sent, .made: true
        case .notSent, .hold: false
        }
    }
}

extension StoreTransaction {
    fileprivate func decide(_ request: Int64, _ decision: UnconfirmedRequest.Decision) throws {
        let record = try queue.known(request)
        guard record.state == .unconfirmed else {
            throw ODataError(.conflict, "The request \(request) is \(record.state.rawValue), not unconfirmed.")
        }
        let members = try queue.unit(of: record)
        switch decision {
        case .sent, .made:
            if case .executed(let results) = try outcome(of: decision, about: request, in: members) {
                try queue.setAlone(zip(members, results).compactMap { $1 == nil ? $0.id : nil })
            }
        case .notSent: for member in members { try queue.setNotExecuted(member.id) }
        case .hold: break
        }
    }

    /// What the decision that the service has executed a unit describes its response. Of a deep insert with the key of
    /// its outermost entity the others are found out.
    func outcome(
        of decision: UnconfirmedRequest.Decision, about request: Int64, in unit: [QueueRecord]
    ) throws -> UnitOutcome {
        guard case .made = decision, let place = unit.outermost, unit[place].isPartOfDeepInsert,
            unit[place].id == request
        else { return .executed(try carryOut(decision, about: request, in: unit)) }
        let result = try carryOut(decision, about: request, in: [unit[place]]).first
        return .executed(unit.indices.map { $0 == place ? result : nil })
    }

    /// Applies the decision that the service has executed a unit: request by request, since the key of one entity may
    /// determine that of the next one.
    ///
    /// - Parameter request: The request that the app has decided.
    /// - Returns: The results of the service, as far as the decision determines them.
    /// - Throws: ``ODataError`` `badRequest` if the key does not belong to the request, `conflict` if others refer to
    ///   an entity without a key, since they could no longer be sent. A part of the unit may be applied then: the
    ///   transaction must be rolled back.
    private func carryOut(
        _ decision: UnconfirmedRequest.Decision, about request: Int64, in unit: [QueueRecord]
    ) throws -> [ChangeResult] {
        try unit.map { member in
            let record = try member.current(in: queue)
            var result = ChangeResult(record.operation.outcome)
            if case .made(let key) = decision, record.id == request {
                result.path = try path(ofMade: key, by: record)
            } else if record.operation.isCreation {
                try checkKeyIsKnown(of: record, in: unit)
            }
            try ResponseApplication(context: self, record: record).apply(result)
            return result
        }
    }

    private func path(ofMade key: EntityKey, by record: QueueRecord) throws -> ResourcePath {
        let set = try offline.set(named: record.set)
        let isOfSet = key.components.count == set.type.key.count && set.type.key.allSatisfy { key[$0] != nil }
        guard record.operation.isCreation, isOfSet else {
            throw ODataError(
                .badRequest,
                """
                The request \(record.id) (\(record.method) \(record.url)) makes no entity with the key \(key.urlText): \
                give \(set.type.key.joined(separator: ", ")) of one that it makes.
                """)
        }
        return ResourcePath(set, key: key)
    }

    private func checkKeyIsKnown(of record: QueueRecord, in unit: [QueueRecord]) throws {
        guard let table = schema.tables[record.set],
            let state = try RowLookup(db: db, table: table).state(of: record.row), state.contains(.temporaryKey),
            try !hasKnownKey(EntityRow(table: table, id: record.row, state: state))
        else { return }
        let own = Set(unit.map(\.id))
        guard let other = try queue.records(naming: record.row).first(where: { !own.contains($0.id) }) else { return }
        throw ODataError(
            .conflict,
            """
            The request \(other.id) (\(other.method) \(other.url)) names the entity that the request \(record.id) has \
            made: decide with the key that it has at the service, or take the request \(other.id) back first.
            """)
    }
}
