import GRDB
import ODataModel
import ODataQuery
import ODataStores

extension SQLiteStore {
    public func read(_ request: ReadRequest) async throws -> ReadResult {
        do {
            return try await withFile { opened in
                var result = try await read(request, in: opened)
                if case .entities(let reader) = result.body {
                    result.body = .entities(
                        ReplacementCheckedRows(reader, check: { [self] in try check(opened) }) { [self] in
                            await lookAgain()
                        })
                }
                return result
            }
        } catch {
            await lookAgain()
            throw ODataError.storage(error)
        }
    }

    /// Publishes properties again that have values of another type, for the next request.
    private func lookAgain() async {
        if schema.misfits.isPending { _ = try? await model() }
    }

    private func read(_ request: ReadRequest, in opened: OpenedFile) async throws -> ReadResult {
        var request = request
        if let continuation = request.continuation {
            request.query = try parser.link(continuation)
            request.continuation = nil
        }
        guard let token = request.query.options.deltaToken else {
            return try await readFromStart(request, in: opened)
        }
        request.query.options.deltaToken = nil
        let position = try position(token)
        return request.query.options.skipToken == nil
            ? try await readChanges(request, after: position, in: opened)
            : try await readTracked(request, from: position, in: opened)
    }

    private func readFromStart(_ request: ReadRequest, in opened: OpenedFile) async throws -> ReadResult {
        guard request.tracksChanges, let changeLog = opened.changeLog, isTrackable(request.query),
            request.query.options.skipToken == nil
        else {
            let result = try await executor.read(request, in: opened.pool, pageSize: configuration.pageSize)
            return try await withStreams(result, of: request)
        }
        let position = try await opened.pool.read { try changeLog.position(in: $0) }
        return try await readTracked(request, from: position, in: opened)
    }

    /// A page of all entities; the last page has the delta link with the position before the first page.
    private func readTracked(
        _ request: ReadRequest, from position: ChangePosition, in opened: OpenedFile
    ) async throws -> ReadResult {
        var result = try await executor.read(request, in: opened.pool, pageSize: configuration.pageSize)
        guard case .entities(let reader) = result.body else { return result }
        var query = request.query
        query.options.skipToken = nil
        query.options.deltaToken = position.token
        result.body = .entities(TrackingReader(reader, token: position.token, deltaLink: query.url))
        result.tracksChanges = true
        return result
    }

    private func readChanges(
        _ request: ReadRequest, after position: ChangePosition, in opened: OpenedFile
    ) async throws -> ReadResult {
        guard let changeLog = opened.changeLog, isTrackable(request.query) else {
            throw ODataError(.gone, "Changes of these entities are not tracked: read them again from the start.")
        }
        try await opened.pool.read { try changeLog.check(position, in: $0) }
        let table = try schema.table(of: request.query.path.rootSet)
        let limits = [configuration.pageSize, request.maxPageSize.map { max($0, 1) }].compactMap(\.self)
        let reader = try DeltaReader(
            store: self, log: changeLog, table: table, query: request.query, position: position, pageSize: limits.min())
        var result = ReadResult(.entities(reader))
        result.tracksChanges = true
        return result
    }

    private func position(_ token: String) throws -> ChangePosition {
        guard let position = ChangePosition(token: token) else {
            throw ODataError(.gone, "The delta token is not known: read the entities again from the start.")
        }
        return position
    }

    /// Whether the log identifies the changed entities of a result: entities of one set, selected by their own
    /// properties.
    private func isTrackable(_ query: BoundQuery) -> Bool {
        guard case .entitySet(let set) = query.path.root, query.path.segments.isEmpty,
            let table = schema.tables[set.name], ChangeTriggers.isTracked(table)
        else { return false }
        let options = query.options
        return options.expand.isEmpty && options.streams.isEmpty && options.apply == nil && options.search == nil
            && options.top == nil
            && options.skip == nil
            && (options.filter?.isOfOneRow ?? true)
    }
}

extension QueryExpression {
    /// Whether the value depends only on the row's own properties.
    var isOfOneRow: Bool {
        switch self {
        case .literal: true
        case .path(let path), .isDefined(let path):
            path.steps.allSatisfy { if case .property = $0 { true } else { false } }
        case .not(let operand), .negate(let operand): operand.isOfOneRow
        case .binary(_, let left, let right): left.isOfOneRow && right.isOfOneRow
        case .inList(let operand, let list): operand.isOfOneRow && list.allSatisfy(\.isOfOneRow)
        case .call(let function, let arguments): function != .now && arguments.allSatisfy(\.isOfOneRow)
        case .conditional(let branches): branches.allSatisfy { $0.condition.isOfOneRow && $0.value.isOfOneRow }
        case .cast(let operand, _), .isOf(let operand, _): operand?.isOfOneRow ?? true
        case .list(let items): items.allSatisfy(\.isOfOneRow)
        case .object(let members, _): members.allSatisfy(\.value.isOfOneRow)
        case .lambda, .count, .operation, .root, .member, .aggregate, .hierarchy: false
        }
    }
}
