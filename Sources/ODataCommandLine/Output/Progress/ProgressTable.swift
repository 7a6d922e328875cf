import OData

/// What is on its way: a meter for each defining query, one for all streams or requests, one for each stream that runs.
struct ProgressTable {
    enum Row: Hashable {
        case query(String)
        /// The streams of a download, or the requests of an upload.
        case all
        case stream(TransferSnapshot.ID)

        fileprivate var place: Int {
            switch self {
            case .query: 0
            case .all: 1
            case .stream: 2
            }
        }
    }

    /// Queries first, then the whole, then streams, each in the order they began.
    private var rows: [(row: Row, meter: ProgressMeter)] = []

    var isEmpty: Bool { rows.isEmpty }

    /// - Returns: The meter as it is now.
    @discardableResult
    mutating func note(
        _ row: Row, _ label: String, _ unit: ProgressMeter.Unit, _ done: Int64, of total: Int64?,
        at time: ContinuousClock.Instant
    ) -> ProgressMeter {
        let place = rows.firstIndex { $0.row == row }
        var meter = place.map { rows[$0].meter } ?? ProgressMeter(label, unit)
        meter.note(done, of: total, at: time)
        if let place {
            rows[place].meter = meter
        } else {
            rows.insert((row, meter), at: rows.firstIndex { $0.row.place > row.place } ?? rows.endIndex)
        }
        return meter
    }

    mutating func remove(_ row: Row) { rows.removeAll { $0.row == row } }

    mutating func removeAll() { rows = [] }

    /// - Parameter size: Longer lines, or more of them, could not be written over.
    func lines(fitting size: TerminalSize, at time: ContinuousClock.Instant) -> [String] {
        rows.prefix(max(1, size.rows - 1)).map { $0.meter.line(width: max(1, size.columns - 1), at: time) }
    }
}

extension ProgressTable {
    /// - Returns: What is told where lines cannot be written over, and whether it is worth it at any time.
    mutating func note(_ progress: DownloadProgress, at time: ContinuousClock.Instant) -> ProgressNews {
        switch progress.phase {
        case .reading:
            let meter = note(
                .query(progress.query), progress.query, .entities, Int64(progress.entities),
                of: progress.totalEntities, at: time)
            return ProgressNews(meter.plainLine(at: time), isMilestone: false)
        case .publishing:
            // Nobody tells when it is over.
            remove(.query(progress.query))
            return ProgressNews("\(progress.query): \(progress.entities) entities", isMilestone: true)
        case .streams:
            let done = progress.finishedStreams + progress.failedStreams
            let meter = note(.all, "", .streams, Int64(done), of: Int64(progress.streams), at: time)
            guard done == progress.streams else { return ProgressNews(meter.plainLine(at: time), isMilestone: false) }
            let line = "streams: \(progress.finishedStreams) of \(progress.streams), \(ByteSize(progress.bytes))"
            return ProgressNews(line, isMilestone: true)
        }
    }

    mutating func note(_ progress: UploadProgress, at time: ContinuousClock.Instant) -> ProgressNews {
        let meter = note(.all, "", .requests, Int64(progress.done), of: Int64(progress.requests), at: time)
        return ProgressNews(meter.plainLine(at: time), isMilestone: false)
    }

    mutating func note(_ transfer: TransferSnapshot, at time: ContinuousClock.Instant) {
        guard transfer.state == .running else { return remove(.stream(transfer.id)) }
        note(.stream(transfer.id), transfer.path, .bytes, transfer.acknowledged, of: transfer.total, at: time)
    }
}

/// A line where lines cannot be written over.
struct ProgressNews {
    var line: String
    /// Whether it is worth a line at any time; else now and then only.
    var isMilestone: Bool

    init(_ line: String, isMilestone: Bool) {
        self.line = line
        self.isMilestone = isMilestone
    }
}
