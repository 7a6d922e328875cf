import GRDB
import ODataModel
import ODataQuery
import ODataStores

extension QueryDownload {
    /// Reads the pages of one part while earlier ones are written to the stages.
    mutating func readPages(from first: QueryDownloadMachine.Page, into root: QueryNode) async throws -> Action {
        let queue = PageQueue(machine, root: root, offline: offline, step: step)
        var failure: (any Error)?
        do {
            var action = Action.readPage(first)
            while case .readPage(let page) = action, page.part == first.part {
                action = try await read(page, into: queue)
                if !store.configuration.readsAhead { try await queue.finish() }
            }
        } catch { failure = error }
        // What was received before an error is kept.
        do { try await queue.finish() } catch { failure = error }
        machine = queue.machine
        if let failure { throw failure }
        return machine.next
    }

    /// Reads a page. ``machine`` is then at the next one, while the queue's follows when the page is written.
    private mutating func read(_ page: QueryDownloadMachine.Page, into queue: PageQueue) async throws -> Action {
        try Task.checkCancellation()
        pending = 0
        if let link = page.link { try follow(link) } else { trail = NextLinkTrail() }
        let request = try request(for: page)
        do {
            switch try await response(to: request).body {
            case .entities(let reader): return try await read(reader, of: page, request, into: queue)
            case .nothing: return try await add(PageQueue.Part(isEnd: true), to: queue)
            case .value, .count, .notModified:
                throw ODataError.noEntities
            }
        } catch let error as ODataError where error.code == .notFound && bound.path.target == .entity {
            // The one entity of the query does not exist, or no longer.
            return try await add(PageQueue.Part(isEnd: true), to: queue)
        }
    }

    private func request(for page: QueryDownloadMachine.Page) throws -> ReadRequest {
        var request = ReadRequest(try query(of: page.part), continuation: page.link)
        request.maxPageSize = store.configuration.downloadPageSize
        request.onBytes = { [meter] in meter.received($0) }
        request.tracksChanges = RefreshChoice(record: record, bound: bound).asksForTracking
        return request
    }

    private func query(of part: QueryDownloadMachine.Page.Part) throws -> BoundQuery {
        switch part {
        case .result, .changes: return bound
        case .keys: return since?.keys ?? bound
        case .changesSince:
            guard let text = record.since, let changes = since?.changes(since: text) else {
                throw ODataError(.internalError, "The query \(record.definition.name) cannot determine what changed.")
            }
            return changes
        }
    }

    private mutating func response(to request: ReadRequest) async throws -> ReadResult {
        report(.waiting)
        guard let link = request.continuation else {
            return try await record.phase == .full ? countedResponse(to: request) : remote.read(request)
        }
        guard let ahead, ahead.link == link else { return try await patientResponse(to: request) }
        self.ahead = nil
        do { return try await ahead.result() } catch let error as ODataError where error.isOfServer {
            return try await patientResponse(to: request, after: error)
        }
    }

    private mutating func read(
        _ reader: any EntityReader, of page: QueryDownloadMachine.Page, _ request: ReadRequest, into queue: PageQueue
    ) async throws -> Action {
        let isDelta = page.part == .changes || page.part == .changesSince
        let check = PageCheck(bound: bound, offline: offline, isDelta: isDelta)
        var part = PageQueue.Part(shape: reader.shape)
        var isFirst = true
        while let block = try await next(of: reader) {
            try check.check(block, reader.shape)
            if page.part == .result, let count = block.count { total = expected(count) }
            part.append(block)
            if !isFirst { pending += block.rows.count { $0.depth == 0 } }
            report(.reading)
            if isFirst { pending += block.rows.count { $0.depth == 0 } }
            isFirst = false
            if store.configuration.readsAhead, let link = block.nextLink, link != page.link {
                ahead = PrefetchedPage(request, link: link, from: remote)
            }
            if part.bytes >= PageQueue.partBytes, !part.hasLink {
                _ = try await add(part, to: queue)
                part = PageQueue.Part(shape: reader.shape)
            }
        }
        part.isEnd = true
        return try await add(part, to: queue)
    }

    private mutating func add(_ part: PageQueue.Part, to queue: PageQueue) async throws -> Action {
        try await queue.add(part)
        machine.wroteRows(part.rows)
        pending = 0
        let action = part.isEnd ? machine.readPage(nextLink: part.nextLink, deltaLink: part.deltaLink) : machine.next
        report(.reading)
        return action
    }

    /// The error of a page that is truncated or cannot be read: the service's response is invalid.
    mutating func next(of reader: any EntityReader) async throws -> RowBlock? {
        do {
            guard let block = try await reader.next() else { return nil }
            bytes += Int64(block.buffer.count)
            trail.note(block, reader.shape)
            note(block.diagnostics)
            return block
        } catch let error as ODataError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ODataError(
                .invalidResponse, "A page of \(record.definition.name) cannot be read: \(error)", cause: error)
        }
    }
}

/// A page that is requested before the previous one is written.
final class PrefetchedPage: Sendable {
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
