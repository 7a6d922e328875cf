import ODataStores

extension OfflineStore {
    /// Decides what became of a request whose answer was lost, where the app has found out.
    ///
    /// - Throws: ``ODataStores/ODataError`` `notFound` if there is no such request, `conflict` if it is not unconfirmed
    ///   or an upload runs.
    public func decide(requestID: Int64, _ decision: UnconfirmedRequest.Decision) async throws {
        try await transferring("decision") {
            let offline = try offlineModel()
            try await database.writingDurably { [configuration] db in
                let queue = RequestQueue(db: db)
                try queue.recover()
                guard let record = try queue.record(requestID) else {
                    throw ODataError(.notFound, "There is no request \(requestID) in the queue.")
                }
                guard record.state == .unconfirmed else {
                    throw ODataError(
                        .conflict, "The request \(requestID) is \(record.state.rawValue), not unconfirmed.")
                }
                let members = try queue.unit(of: record)
                let context = ChangeContext(db: db, offline: offline, configuration: configuration)
                for member in members {
                    switch decision {
                    case .sent:
                        try AnswerApplication(context: context, record: member)
                            .apply(ChangeResult(member.operation.outcome))
                    case .notSent: try queue.setNotExecuted(member.id)
                    case .hold: break
                    }
                }
            }
            try await collectMedia()
        }
    }
}
