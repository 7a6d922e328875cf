import GRDB
import GRDBSQLite
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// The location of an entity.
package struct LocatedRow: Sendable, Hashable {
    package var set: EdmEntitySet
    package var type: EdmStructuredType
    /// Nil if the set's rows do not have one.
    package var rowID: Int64?
    package var key: EntityKey
    package var etag: String?
}

extension QueryExecutor {
    /// Finds the one entity that a path leads to, keys and navigation properties followed. Nil if there is none.
    package func locate(_ path: ResourcePath, in db: Database) throws -> LocatedRow? {
        let resource = path.entityPath
        guard resource.target == .entity, let type = resource.entityType(in: model) else {
            throw ODataError(.badRequest, "The path \(path.url) does not lead to one entity.")
        }
        let plan = try location(of: resource, type: type)
        let (statement, shape) = (plan.statement, plan.decoder.shape)
        let raw = try RawStatement(statement.sql, in: db)
        defer { raw.finish() }
        guard try raw.step() else { return nil }
        var block = RowBlock()
        guard let header = plan.decoder.header(raw.pointer, in: &block) else { return nil }
        block.rows = [header]
        let found = shape.type(of: header)
        // Singletons and contained entities need no key.
        guard let key = found.key.isEmpty ? EntityKey([]) : block.key(row: 0, shape: shape) else { return nil }
        let rowID = statement.projection.rowID.map { sqlite3_column_int64(raw.pointer, CInt($0)) }
        return LocatedRow(
            set: statement.set, type: found, rowID: rowID, key: key, etag: block.text(block.rows[0].etag))
    }

    /// The entity of the row of `set` with the id `row`, with what `options` select and expand; nil if it is gone.
    package func entity(
        of set: EdmEntitySet, row: Int64, options: QueryOptions = QueryOptions(), in db: Database
    ) throws -> EdmEntity? {
        let (shape, block) = try block(of: set, row: row, options: options.ofOneEntity, in: db)
        return EntityAssembler(shape: shape).entities(in: block).first
    }

    /// A path to one entity.
    func entity(for request: ReadRequest, in db: Database) throws -> ReadResult {
        var query = request.query
        query.options = query.options.ofOneEntity
        let (shape, block) = try block(for: query, in: db)
        guard let row = block.rows.first else { return try absent(query.path, in: db) }
        let etag = block.text(row.etag)
        if let result = try Self.precondition(request, etag: etag) { return result }
        return ReadResult(.entities(RowBlocks([block], shape: shape)), etag: etag)
    }

    /// A navigation property without a value has no content; everything else that does not exist is not found.
    private func absent(_ path: ResourcePath, in db: Database) throws -> ReadResult {
        let last = path.resource.segments.last { segment in
            if case .cast = segment { false } else { true }
        }
        guard case .navigation = last else { throw Self.notFound(path) }
        try checkSource(of: path, in: db)
        return ReadResult(.nothing)
    }

    /// The value of a property, or of a member of a collection.
    func value(of request: ReadRequest, in db: Database) throws -> ReadResult {
        let path = request.query.path
        let statement = try valueStatement(of: request.query)
        let raw = try RawStatement(statement.sql, in: db)
        defer { raw.finish() }
        guard try raw.step() else { throw Self.notFound(path) }
        guard let stored = value(of: statement, in: raw) else { throw misfit(at: path) }
        let etag = raw.pointer.binding(at: 1).text
        if let result = try Self.precondition(request, etag: etag) { return result }
        guard var (value, type) = Self.follow(statement.rest, in: stored, type: statement.type) else {
            return ReadResult(.nothing, etag: etag)
        }
        if let index = statement.index { (value, type) = try Self.member(index, of: value, type: type, path: path) }
        let count = raw.pointer.binding(at: 2).integer
        if path.suffix == .count, case .collection(let items) = value {
            return ReadResult(.count(count ?? Int64(items.count)))
        }
        var result = ReadResult(value.isNull ? .nothing : .value(value, type), etag: etag)
        result.count = count
        return result
    }

    /// The value in the first column; nil for one of another type.
    private func value(of statement: ValueStatement, in raw: RawStatement) -> EdmValue? {
        let type = EdmStructuredType(declaration: .init(kind: .complex, name: EdmQualifiedName(""), properties: []))
        let shape = RowShape(
            model: model, entitySet: nil, type: type, properties: [EdmProperty(name: "value", type: statement.type)])
        var block = RowBlock()
        let decoder = SlotDecoder(codec: statement.codec, type: statement.type)
        block.slots = [decoder.slot(raw.pointer, 0, &block.buffer)]
        if decoder.isMisfit(block.slots[0]) { return nil }
        block.rows = [RowHeader()]
        return block.value(row: 0, slot: 0, shape: shape) ?? .null
    }

    /// The value of nested properties; nil where a complex value on the way is null.
    private static func follow(
        _ properties: [EdmProperty], in value: EdmValue, type: EdmTypeReference
    ) -> (EdmValue, EdmTypeReference)? {
        var (value, type) = (value, type)
        for property in properties {
            guard case .complex(let members) = value else { return nil }
            value = members[property.name] ?? .null
            type = property.type
        }
        return (value, type)
    }

    private static func member(
        _ index: Int, of value: EdmValue, type: EdmTypeReference, path: ResourcePath
    ) throws -> (EdmValue, EdmTypeReference) {
        guard case .collection(let items) = value, case .collection(let element) = type else { throw notFound(path) }
        let position = index < 0 ? items.count + index : index
        guard items.indices.contains(position) else { throw notFound(path) }
        return (items[position], element)
    }

    /// A single value cannot be omitted. After the file has been scanned again it can be read as text.
    private func misfit(at path: ResourcePath) -> ODataError {
        guard case .property(let property) = path.target, let set = path.entitySet,
            (mapping as? PublishedSchema)?.misfits.note(property.name, of: set.name) == true
        else { return ODataError(.internalError, "The value of \(path.url) is not of the property's type.") }
        var error = ODataError(
            .busy, "The value of \(path.url) is no longer of the property's type: read it again, as text.")
        error.retryAfter = 1
        return error
    }

    // MARK: Conditions

    static func precondition(_ request: ReadRequest, etag: String?) throws -> ReadResult? {
        if let wanted = request.ifMatch, !matches(wanted, etag) {
            throw ODataError(.preconditionFailed, "The entity has another ETag.")
        }
        guard let known = request.ifNoneMatch, etag != nil, matches(known, etag) else { return nil }
        return ReadResult(.notModified, etag: etag)
    }

    /// Weak comparison of a list of ETags with one.
    private static func matches(_ list: String, _ etag: String?) -> Bool {
        let listed = EntityTagList(list)
        return listed.isAny || etag.map { listed.matches([$0]) } == true
    }
}

extension ResourcePath {
    /// The path of the entity whose property, stream or value this leads to.
    fileprivate var entityPath: ResourcePath {
        let kept = resource.segments.prefix { segment in
            if case .property = segment { false } else { true }
        }
        return ResourcePath(root: root, segments: Array(kept))
    }
}

extension QueryOptions {
    /// The options that apply to one entity.
    var ofOneEntity: QueryOptions {
        var options = QueryOptions()
        options.select = select
        options.expand = expand
        options.compute = compute
        options.format = format
        return options
    }
}

extension SQLBinding {
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
    fileprivate var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}
