import OData

extension ProgressTable {
    /// As the upload, then as the download that it is. Where lines cannot be written over, each query that is complete
    /// has a line, and the text of the whole run now and then.
    ///
    /// - Returns: Nil for nothing.
    mutating func note(_ progress: SyncProgress, at time: ContinuousClock.Instant) -> AppendedProgressLine? {
        remove(.service)
        switch progress.phase {
        case .uploading:
            note(
                .all, "", .requests, Int64(progress.finishedRequests), of: Int64(progress.requests), at: time)
        case .downloading where progress.queries.isEmpty:
            // The metadata are requested.
            remove(.all)
            wait()
            return nil
        case .downloading:
            let complete = progress.queries.filter { note($0, at: time) }
            if progress.streams > 0 {
                note(.all, "", .streams, Int64(progress.finishedStreams), of: Int64(progress.streams), at: time)
            } else {
                remove(.all)
            }
            if let query = complete.last {
                return AppendedProgressLine("\(query.name): \(query.entities) entities", isMilestone: true)
            }
        case .idle: return nil
        }
        return AppendedProgressLine(progress.description, isMilestone: false)
    }

    /// - Returns: Whether it has a line, which is removed because the query is complete.
    private mutating func note(_ query: SyncProgress.Query, at time: ContinuousClock.Instant) -> Bool {
        let row = Row.query(query.name)
        guard query.fraction != 1 else {
            defer { remove(row) }
            return has(row)
        }
        guard query.entities > 0 || query.bytes > 0 else {
            wait(row, query.name, .entities)
            return false
        }
        note(
            row, query.name, .entities, Int64(query.entities), of: query.totalEntities, bytes: query.bytes, at: time)
        return false
    }
}
