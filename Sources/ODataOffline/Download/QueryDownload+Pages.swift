import GRDB
import ODataModel
import ODataQuery
import ODataStores

extension QueryDownload {
    mutating func readPages(into root: QueryNode) async throws {
        defer {
            ahead?.cancel()
            ahead = nil
        }
        while let request = try request() {
            try Task.checkCancellation()
            try await followLink()
            try await readPage(request, into: root)
        }
    }

    private mutating func followLink() async throws {
        guard let link = record.continuation else {
            trail = NextLinkTrail()
            return
        }
        try await follow(link)
    }

    /// A read that goes round in a circle, or on without end, is given up: the next download begins it again.
    mutating func follow(_ link: String) async throws {
        do { try trail.follow(link) } catch {
            try await giveUp()
            throw ODataError(
                .invalidResponse,
                "The pages of the defining query \(record.definition.name) go round in a circle, or come to no end. "
                    + ODataError(any: error).message, cause: error)
        }
    }

    /// What is asked for next; nil if all pages are there.
    private func request() throws -> ReadRequest? {
        var query = bound
        switch record.phase {
        case .full: query = wholeResult
        case .delta:
            if record.mode == .changedSince {
                guard let text = record.since, let changes = since?.changes(since: text) else {
                    throw ODataError(.internalError, "The query \(record.definition.name) cannot tell what changed.")
                }
                query = changes
            }
        case .keys: query = since?.keys ?? bound
        case .idle, .fullRead, .deltaRead, .keysRead: return nil
        }
        var request = ReadRequest(query, continuation: record.continuation)
        request.maxPageSize = store.configuration.downloadPageSize
        request.tracksChanges = RefreshChoice(record: record, bound: bound).asksForTracking
        return request
    }

    private mutating func readPage(_ request: ReadRequest, into root: QueryNode) async throws {
        do {
            switch try await answer(to: request).body {
            case .entities(let reader): try await take(reader, of: request, into: root)
            case .nothing: try await write([], shape: nil, into: root, isLast: true)
            case .value, .count, .notModified:
                throw ODataError(.invalidResponse, "The service did not answer with entities.")
            }
        } catch let error as ODataError where error.code == .notFound && bound.path.target == .entity {
            // The one entity that the query names is not there (any more).
            try await write([], shape: nil, into: root, isLast: true)
        }
    }

    private mutating func answer(to request: ReadRequest) async throws -> ReadResult {
        report(.waiting)
        guard let ahead, ahead.link == request.continuation else {
            return try await patientAnswer(to: request)
        }
        self.ahead = nil
        do { return try await ahead.result() } catch let error as ODataError where error.isOfServer {
            return try await patientAnswer(to: request, after: error)
        }
    }

    private mutating func take(
        _ reader: any EntityReader, of request: ReadRequest, into root: QueryNode
    ) async throws {
        var blocks: [RowBlock] = []
        var size = 0
        var isFirst = true
        while let block = try await next(of: reader) {
            try PageCheck(bound: bound, offline: offline, isDelta: record.phase == .delta)
                .check(block, reader.shape)
            let count = block.buffer.count + block.slots.count * 16
            size += count
            bytes += Int64(block.buffer.count)
            if record.phase == .full, let count = block.count { total = expected(count) }
            trail.note(block, reader.shape)
            note(block.diagnostics)
            blocks.append(block)
            if isFirst { report(.reading) }
            isFirst = false
            if store.configuration.readsAhead, let link = block.nextLink, link != record.continuation {
                ahead = PageAhead(uncounted(request), link: link, from: remote)
            }
            if size >= Self.batchBytes, block.nextLink == nil, block.deltaLink == nil {
                guard try await write(blocks, shape: reader.shape, into: root, isLast: false) else { return }
                blocks = []
                size = 0
            }
        }
        try await write(blocks, shape: reader.shape, into: root, isLast: true)
    }

    /// How many entities come of the result that has `count` without `$skip` and `$top`.
    private func expected(_ count: Int64) -> Int64 {
        let rest = max(0, count - Int64(bound.options.skip ?? 0))
        return bound.options.top.map { min(rest, Int64($0)) } ?? rest
    }

    /// What is wrong with a page that breaks off or cannot be read is the service's answer.
    func next(of reader: any EntityReader) async throws -> RowBlock? {
        do { return try await reader.next() } catch let error as ODataError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ODataError(
                .invalidResponse, "A page of \(record.definition.name) cannot be read: \(error)", cause: error)
        }
    }

    /// Rows and, with the last of a page, the link to the next one: one transaction.
    ///
    /// - Returns: False if something has come that the stage cannot take: all is read again, and the rest of the page
    ///   does not count.
    @discardableResult
    private mutating func write(
        _ blocks: [RowBlock], shape: RowShape?, into root: QueryNode, isLast: Bool
    ) async throws -> Bool {
        let (obstacle, record) = try await write { [record, offline, bound] db in
            var record = record
            var obstacle: String?
            if let shape {
                let writer = try StageWriter(
                    root: root, shape: shape, content: record.pageContent, offline: offline, in: db)
                for block in blocks { try writer.write(block) }
                try writer.finish()
                if record.phase != .keys { record.rows += writer.rows }
                obstacle = writer.obstacle
            }
            if let obstacle {
                try Self.restart(&record, root, because: obstacle, in: db)
            } else {
                if isLast { try Self.advance(&record, after: blocks, bound) }
                try record.save(in: db)
            }
            return (obstacle, record)
        }
        self.record = record
        if obstacle != nil {
            ahead?.cancel()
            ahead = nil
        }
        report(.reading)
        return obstacle == nil
    }

    private static func advance(_ record: inout QueryRecord, after blocks: [RowBlock], _ bound: BoundQuery) throws {
        record.pages += 1
        // One that comes before the last page tells of changes since then, and stands in for one that does not come.
        record.pendingDelta = blocks.last { $0.deltaLink != nil }?.deltaLink ?? record.pendingDelta
        record.continuation = blocks.last { $0.nextLink != nil }?.nextLink
        guard record.continuation == nil else { return }
        switch record.phase {
        case .delta where record.mode == .changedSince:
            record.phase = RefreshChoice(record: record, bound: bound).comparesNow ? .keys : .deltaRead
        case .delta: record.phase = .deltaRead
        case .keys: record.phase = .keysRead
        default: record.phase = .fullRead
        }
    }
}

extension QueryRecord {
    /// What the rows of the page that is read are.
    fileprivate var pageContent: PageContent {
        switch phase {
        case .delta: .changes
        case .keys: .keys
        default: .result(isKnown: mode == .comparison)
        }
    }
}

/// A page that is asked for before the one before it is written.
final class PageAhead: Sendable {
    let link: String
    private let task: Task<ReadResult, any Error>

    init(_ request: ReadRequest, link: String, from remote: any ODataStore) {
        self.link = link
        task = Task { [request] in
            var next = request
            next.continuation = link
            return try await remote.read(next)
        }
    }

    func result() async throws -> ReadResult {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func cancel() { task.cancel() }
}
