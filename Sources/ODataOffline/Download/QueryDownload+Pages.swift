import GRDB
import ODataModel
import ODataQuery
import ODataStores

extension QueryDownload {
    /// Reads a page and writes its rows to the stages.
    mutating func read(_ page: QueryDownloadMachine.Page, into root: QueryNode) async throws -> Action {
        try Task.checkCancellation()
        if let link = page.link { try follow(link) } else { trail = NextLinkTrail() }
        let request = try request(for: page)
        do {
            switch try await response(to: request).body {
            case .entities(let reader): return try await write(reader, of: page, request, into: root)
            case .nothing: return try await write([], shape: nil, into: root, isLast: true)
            case .value, .count, .notModified:
                throw ODataError.noEntities
            }
        } catch let error as ODataError where error.code == .notFound && bound.path.target == .entity {
            // The one entity of the query does not exist, or no longer.
            return try await write([], shape: nil, into: root, isLast: true)
        }
    }

    private func request(for page: QueryDownloadMachine.Page) throws -> ReadRequest {
        var request = ReadRequest(try query(of: page.part), continuation: page.link)
        request.maxPageSize = store.configuration.downloadPageSize
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

    private mutating func write(
        _ reader: any EntityReader, of page: QueryDownloadMachine.Page, _ request: ReadRequest, into root: QueryNode
    ) async throws -> Action {
        let isDelta = page.part == .changes || page.part == .changesSince
        let check = PageCheck(bound: bound, offline: offline, isDelta: isDelta)
        var blocks: [RowBlock] = []
        var size = 0
        var isFirst = true
        while let block = try await next(of: reader) {
            try check.check(block, reader.shape)
            size += block.buffer.count + block.slots.count * 16
            if page.part == .result, let count = block.count { total = expected(count) }
            blocks.append(block)
            if isFirst { report(.reading) }
            isFirst = false
            if store.configuration.readsAhead, let link = block.nextLink, link != page.link {
                ahead = PrefetchedPage(request, link: link, from: remote)
            }
            if size >= Self.batchBytes, block.nextLink == nil, block.deltaLink == nil {
                _ = try await write(blocks, shape: reader.shape, into: root, isLast: false)
                (blocks, size) = ([], 0)
            }
        }
        return try await write(blocks, shape: reader.shape, into: root, isLast: true)
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

    /// Writes rows and, with the last rows of a page, the next link in one transaction.
    ///
    /// - Throws: ``DownloadStepError`` `rejected` if the stage cannot take them.
    private mutating func write(
        _ blocks: [RowBlock], shape: RowShape?, into root: QueryNode, isLast: Bool
    ) async throws -> Action {
        let action = try await transaction { [offline] machine, db in
            if let shape {
                let writer = try StageWriter(
                    root: root, shape: shape, content: machine.content, offline: offline, in: db)
                try writer.stage(blocks)
                machine.wroteRows(writer.rows)
            }
            guard isLast else { return machine.next }
            return machine.readPage(
                nextLink: blocks.last { $0.nextLink != nil }?.nextLink,
                deltaLink: blocks.last { $0.deltaLink != nil }?.deltaLink)
        }
        report(.reading)
        return action
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
