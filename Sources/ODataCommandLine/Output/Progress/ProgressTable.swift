import OData

/// What is on its way: a meter for each defining query, one for all streams or requests, one for each stream that runs.
struct ProgressTable {
    enum Row: Hashable {
        /// The service itself, which has not responded yet.
        case service
        case query(String)
        /// The streams of a download, or the requests of an upload.
        case all
        case stream(TransferSnapshot.ID)

        fileprivate var place: Int {
            switch self {
            case .service: 0
            case .query: 1
            case .all: 2
            case .stream: 3
            }
        }
    }

    /// Queries first, then the whole, then streams, each in the order they began.
    private var rows: [(row: Row, meter: ProgressMeter)] = []
    private let host: String

    init(host: String) {
        self.host = host
    }

    var isEmpty: Bool { rows.isEmpty }

    /// - Returns: The meter as it is now.
    @discardableResult
    mutating func note(
        _ row: Row, _ label: String, _ unit: ProgressMeter.Unit, _ done: Int64, of total: Int64?, bytes: Int64 = 0,
        at time: ContinuousClock.Instant
    ) -> ProgressMeter {
        change(row, label, unit) { $0.note(done, of: total, bytes: bytes, at: time) }
    }

    @discardableResult
    private mutating func change(
        _ row: Row, _ label: String, _ unit: ProgressMeter.Unit, _ body: (inout ProgressMeter) -> Void
    ) -> ProgressMeter {
        let place = rows.firstIndex { $0.row == row }
        var meter = place.map { rows[$0].meter } ?? ProgressMeter(label, unit)
        body(&meter)
        if let place {
            rows[place].meter = meter
        } else {
            rows.insert((row, meter), at: rows.firstIndex { $0.row.place > row.place } ?? rows.endIndex)
        }
        return meter
    }

    /// The response has not begun yet; a transfer that has a line already keeps it.
    mutating func wait(_ row: Row = .service, _ label: String = "", _ unit: ProgressMeter.Unit = .bytes) {
        guard !has(row) else { return }
        change(row, label, unit) { [host] in $0.wait(for: host) }
    }

    func has(_ row: Row) -> Bool { rows.contains { $0.row == row } }

    mutating func remove(_ row: Row) { rows.removeAll { $0.row == row } }

    mutating func removeAll() { rows = [] }

    /// - Parameter size: Longer lines, or more of them, could not be written over.
    func lines(fitting size: TerminalSize, at time: ContinuousClock.Instant) -> [String] {
        rows.prefix(max(1, size.rows - 1)).map { $0.meter.line(width: max(1, size.columns - 1), at: time) }
    }
}

extension ProgressTable {
    /// - Returns: The text where lines cannot be overwritten, and whether it is printed at any time; nil for nothing.
    mutating func note(_ progress: DownloadProgress, at time: ContinuousClock.Instant) -> AppendedProgressLine? {
        if progress.phase == .waiting, progress.query.isEmpty {
            wait()
            return nil
        }
        remove(.service)
        switch progress.phase {
        case .waiting:
            wait(.query(progress.query), progress.query, .entities)
            return nil
        case .reading:
            let meter = note(
                .query(progress.query), progress.query, .entities, Int64(progress.entities),
                of: progress.totalEntities, bytes: progress.receivedBytes, at: time)
            return AppendedProgressLine(meter.plainLine(at: time), isMilestone: false)
        case .publishing:
            // Its end is not reported.
            remove(.query(progress.query))
            return AppendedProgressLine("\(progress.query): \(progress.entities) entities", isMilestone: true)
        case .streams:
            let done = progress.finishedStreams + progress.failedStreams
            let meter = note(.all, "", .streams, Int64(done), of: Int64(progress.streams), at: time)
            guard done == progress.streams else {
                return AppendedProgressLine(meter.plainLine(at: time), isMilestone: false)
            }
            let line = "streams: \(progress.finishedStreams) of \(progress.streams), \(ByteSize(progress.bytes))"
            return AppendedProgressLine(line, isMilestone: true)
        }
    }

    mutating func note(_ progress: UploadProgress, at time: ContinuousClock.Instant) -> AppendedProgressLine {
        let meter = note(.all, "", .requests, Int64(progress.done), of: Int64(progress.requests), at: time)
        return AppendedProgressLine(meter.plainLine(at: time), isMilestone: false)
    }

    mutating func note(_ transfer: TransferSnapshot, at time: ContinuousClock.Instant) {
        guard transfer.state == .running else { return remove(.stream(transfer.id)) }
        change(.stream(transfer.id), transfer.path, .bytes) { [host] meter in
            // The rate is that of what comes, not of the time before.
            if !transfer.isSilent { meter.note(transfer.transferred, of: transfer.total, at: time) }
            guard transfer.isSilent || transfer.isSent else { return }
            meter.wait(for: transfer.host.isEmpty ? host : transfer.host)
        }
    }
}

extension TransferSnapshot {
    /// Of a running download: nothing has come yet.
    fileprivate var isSilent: Bool { direction == .download && transferred == 0 && total == nil }

    /// Of a running upload: the response is all that is left.
    fileprivate var isSent: Bool { direction == .upload && transferred == total }
}

/// A line where lines cannot be written over.
struct AppendedProgressLine {
    var line: String
    /// Whether it is worth a line at any time; else now and then only.
    var isMilestone: Bool

    init(_ line: String, isMilestone: Bool) {
        self.line = line
        self.isMilestone = isMilestone
    }
}
