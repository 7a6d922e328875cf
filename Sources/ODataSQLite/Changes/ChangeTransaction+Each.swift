import ODataModel
import ODataQuery
import ODataStores

extension ChangeTransaction {
    /// `PATCH Products/$filter(Price gt 5)/$each`, `DELETE …`: all members, or none.
    ///
    /// [OData-Protocol, sections 11.4.12 and 11.4.13]
    func applyToEach(_ request: ChangeRequest) throws -> ChangeResult {
        let members = try members(of: request.target)
        switch request.operation {
        case .update(let payload):
            for member in members {
                try requireWritable(member.table, for: .update)
                try update(member, payload, replaces: false)
            }
        case .delete:
            for member in members { try delete(member) }
        default: throw ODataError(.methodNotAllowed, "Each member of a collection can be updated or deleted only.")
        }
        var result = ChangeResult(.updated)
        if case .delete = request.operation { result.outcome = .deleted }
        result.memberCount = members.count
        if case .update = request.operation, request.returnPreference == .representation {
            result.members = try rows(of: members, request)
        }
        return result
    }

    /// The members as they are now, whether or not they still fit the filter that chose them.
    private func rows(of members: [LocatedEntity], _ request: ChangeRequest) throws -> ReadResult {
        let collection = ResourcePath(root: request.target.root, segments: Array(request.target.segments.dropLast()))
        var options = QueryOptions()
        options.select = request.resultOptions.select
        options.expand = request.resultOptions.expand
        options.compute = request.resultOptions.compute
        var shape = try access.executor.shape(of: BoundQuery(path: collection, options: options))
        var blocks: [RowBlock] = []
        for path in try members.compactMap(path(of:)) {
            let (read, block) = try access.executor.block(for: BoundQuery(path: path, options: options), in: db)
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
        let (shape, block) = try access.executor.block(for: BoundQuery(path: collection), in: db)
        let table = try self.table(of: collection)
        if table.declared?.container != nil {
            return try block.rows.compactMap { row in
                try block.text(row.id).flatMap { try locate(try access.parser.path($0)) }
            }
        }
        return try block.rows.indices.compactMap { row in
            guard let key = block.key(row: row, shape: shape) else { return nil }
            return try access.row(of: table, key: key).map { LocatedEntity(table: table, row: $0) }
        }
    }

    /// The table of the entities that a path leads to.
    private func table(of path: ResourcePath) throws -> PublishedTable {
        var table = try schema.table(of: path.rootSet)
        var type: EdmStructuredType?
        for segment in path.segments {
            switch segment {
            case .cast(let cast): type = cast
            case .navigation(let navigation, _):
                table = try relation(navigation.name, of: table, as: type).target
                type = nil
            default: break
            }
        }
        return table
    }
}
