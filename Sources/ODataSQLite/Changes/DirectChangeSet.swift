import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// Makes the changes of one transaction, one after another.
struct DirectChangeSet {
    var rows: DirectRows
    /// The entities that earlier changes of the set are about, by content id.
    var made: [String: LocatedEntity] = [:]

    init(_ access: RowAccess, isLoading: Bool = false) { rows = DirectRows(access: access, isLoading: isLoading) }

    var planner: ChangePlanner<DirectRows> { ChangePlanner(rows, made: made) }
    private var access: RowAccess { rows.access }

    mutating func apply(_ change: PreparedChange) throws -> ChangeResult {
        let request = change.request
        do {
            if request.target.segments.contains(.each) { return try applyToEach(request) }
            var executor = DirectChangeExecutor(rows: rows, media: ReceivedMedia(change))
            let plan = try planner.plan(request)
            try executor.carryOut(plan)
            guard let row = try plan.subject.map(executor.located) else { return ChangeResult(plan.outcome) }
            try executor.requireRow(row)
            if let id = request.contentID { made[id] = row }
            return try result(of: plan, row, request)
        } catch {
            throw ODataError.change(error, schema: rows.schema)
        }
    }

    private func result(
        of plan: ChangePlan<LocatedEntity>, _ row: LocatedEntity, _ request: ChangeRequest
    ) throws -> ChangeResult {
        let path = try rows.path(of: row)
        var result = ChangeResult(plan.outcome, path: path, entityID: path.url)
        if request.returnPreference != .minimal {
            result.entity = try access.entity(at: path, options: expansions(of: request, row))
        }
        switch plan.steps.last {
        case .replaceStream(_, let property): result.etag = try rows.streamETag(property, of: row)
        case .deleteStream: break
        default: result.etag = try result.entity?.etag ?? access.etag(of: row.row, in: row.table)
        }
        return result
    }

    /// The nested entities of a payload come back expanded.
    private func expansions(of request: ChangeRequest, _ row: LocatedEntity) throws -> QueryOptions {
        switch request.operation {
        case .create(let payload), .update(let payload), .replace(let payload):
            guard !payload.nested.isEmpty else { return QueryOptions() }
            return expansions(payload, of: try rows.entitySet(named: row.setName), as: try rows.type(of: row))
        default: return QueryOptions()
        }
    }

    private func expansions(_ payload: EntityPayload, of set: EdmEntitySet, as type: EdmStructuredType) -> QueryOptions
    {
        var options = QueryOptions()
        for nested in payload.nested {
            guard let navigation = try? rows.navigation(nested.navigation, of: set, as: type),
                let target = try? rows.entitySet(named: navigation.targetSet)
            else { continue }
            let isOfAll = set.type.navigationProperty(named: nested.navigation) == navigation.property
            var merged = EntityPayload()
            for entity in nested.entities { merged.nested += entity.nested }
            var names: Set<String> = []
            merged.nested = merged.nested.filter { names.insert($0.navigation).inserted }
            let known = rows.model.entitySet(named: target.name)
            options.expand.append(
                ExpandItem(
                    prefix: isOfAll ? [] : [.cast(type)], navigation: navigation.property, targetSet: known,
                    targetType: known?.type ?? rows.model.target(of: navigation.property) ?? target.type,
                    options: expansions(merged, of: target, as: target.type)))
        }
        return options
    }
}

/// Changes of each member of a collection: all of them, or none.
extension DirectChangeSet {
    /// `PATCH Products/$filter(Price gt 5)/$each`, `DELETE …`
    private func applyToEach(_ request: ChangeRequest) throws -> ChangeResult {
        let members = try members(of: request.target)
        let plan = try planner.plan(request.operation, forEach: members)
        var executor = DirectChangeExecutor(rows: rows)
        try executor.carryOut(plan)
        var result = ChangeResult(plan.outcome)
        result.memberCount = members.count
        if case .update = request.operation, request.returnPreference == .representation {
            result.members = try read(members, request)
        }
        return result
    }

    /// The members as they are now, whether or not they still fit the filter that chose them.
    private func read(_ members: [LocatedEntity], _ request: ChangeRequest) throws -> ReadResult {
        let collection = ResourcePath(root: request.target.root, segments: Array(request.target.segments.dropLast()))
        var options = QueryOptions()
        options.select = request.resultOptions.select
        options.expand = request.resultOptions.expand
        options.compute = request.resultOptions.compute
        var shape = try access.executor.shape(of: BoundQuery(path: collection, options: options))
        var blocks: [RowBlock] = []
        for path in try members.map(rows.path(of:)) {
            let (read, block) = try access.executor.block(
                for: BoundQuery(path: path, options: options), in: access.db)
            shape = read
            blocks.append(block)
        }
        return ReadResult(.entities(RowBlocks(blocks, shape: shape)))
    }

    private func members(of path: ResourcePath) throws -> [LocatedEntity] {
        guard path.segments.last == .each else {
            throw ODataError(.notImplemented, "Nothing can follow /$each here.")
        }
        let collection = ResourcePath(root: path.root, segments: Array(path.segments.dropLast()))
        guard collection.target == .collection else {
            throw ODataError(.badRequest, "/$each needs a collection of entities.")
        }
        let (shape, block) = try access.executor.block(for: BoundQuery(path: collection), in: access.db)
        let set = try set(of: collection)
        if rows.schema.tables[set.name]?.declared?.container != nil {
            return try block.rows.compactMap { row in
                try block.text(row.id).flatMap { try rows.row(at: access.parser.path($0)) }
            }
        }
        return try block.rows.indices.compactMap { row in
            try block.key(row: row, shape: shape).flatMap { try rows.row(of: set.name, key: $0) }
        }
    }

    /// The set of the entities that a path leads to.
    private func set(of path: ResourcePath) throws -> EdmEntitySet {
        var set = try rows.entitySet(named: rows.schema.table(of: path.rootSet).set)
        var type = set.type
        for segment in path.segments {
            switch segment {
            case .cast(let cast): type = cast
            case .navigation(let navigation, _):
                set = try rows.entitySet(named: rows.navigation(navigation.name, of: set, as: type).targetSet)
                type = set.type
            default: break
            }
        }
        return set
    }
}
