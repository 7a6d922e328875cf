import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// A query for entities of one set that decides on each row by this row alone: `Orders?$filter=Amount gt 5&$orderby=Note`.
///
/// The rows that were inserted or updated show what a commit has done to its result: where none of them was in
/// the last result and none matches the filter now, and where those of the last result are in it as they were, the
/// result is the same. Deleted rows, other keys and other tables are not looked at.
struct RowwiseQuery: Sendable {
    private let query: BoundQuery
    private let table: LocalTable
    /// Whether it is for one entity, by its key.
    private let isOfOne: Bool
    /// The properties that decide on the order.
    private let order: [String]?

    /// Nil for all other queries: those that skip or count rows, aggregate, search, compute, expand streams, evaluate
    /// functions of the store or the time, or read the table for anything else than the rows.
    init?(_ query: BoundQuery, in schema: LocalSchema) {
        guard case .entitySet(let set) = query.path.root, set.kind == .entitySet, let table = schema.tables[set.name],
            table.container == nil, !set.type.key.isEmpty,
            set.type.key.allSatisfy({ set.type.property(named: $0) != nil })
        else { return nil }
        switch query.path.segments.first {
        case nil: isOfOne = false
        case .key? where query.path.segments.count == 1: isOfOne = true
        default: return nil
        }
        guard query.options == query.options.rowwise, query.options.expand.allSatisfy({ $0.leadsElsewhere(than: set) })
        else { return nil }
        var own = query
        own.options.expand = []
        let sets = QuerySets(own)
        guard sets.names == [set.name], sets.operations.isEmpty, !sets.usesResource,
            query.options.filter?.isOfOneRow ?? true, query.options.orderBy.allSatisfy({ $0.expression.isOfOneRow })
        else { return nil }
        self.query = query
        self.table = table
        let order = query.options.orderBy.map(\.expression.propertyName)
        self.order = order.contains(nil) ? nil : order.compactMap { $0 }
    }

    var region: LiveRegion.RowTable { .init(name: table.name, keyColumns: Set(table.keyColumns)) }

    /// Whether rows that were inserted or updated leave the result of the query as it was.
    ///
    /// - Parameters:
    ///   - executor: The one that reads the query.
    ///   - last: The entities of the last result by their ids.
    func isUnchanged(
        by rows: Set<Int64>, _ executor: QueryExecutor, offline: OfflineModel, last: [String: EdmEntity],
        in db: Database
    ) throws -> Bool {
        if isOfOne, last.isEmpty { return false }
        let lookup = RowLookup(db: db, table: table)
        let keys = try rows.compactMap(lookup.key)
        guard keys.count == rows.count else { return false }
        let filter = condition(keys)
        // All rows must be found by their keys, under the ids that results have.
        guard let all = try entities(filter, executor, in: db), all.count == rows.count else { return false }
        guard !isOfOne else { return last.keys.allSatisfy { all[$0] == nil } }
        let query = try PathResolver(db: db, schema: offline.schema).resolve(query, model: offline.model)
        let now = try query.options.filter.map { try entities(.binary(.and, filter, $0), executor, in: db) } ?? all
        guard let now, now == last.filter({ all[$0.key] != nil }) else { return false }
        guard let order else { return now.isEmpty }
        return now.values.allSatisfy { entity in order.allSatisfy { entity.properties[$0] != nil } }
    }

    /// The entities that a filter selects, with the properties of the query, by their ids; nil if one has none.
    private func entities(
        _ filter: QueryExpression, _ executor: QueryExecutor, in db: Database
    ) throws -> [String: EdmEntity]? {
        var narrowed = BoundQuery(path: ResourcePath(table.set), options: query.options)
        narrowed.options.filter = filter
        narrowed.options.orderBy = []
        narrowed.options.top = nil
        let (shape, block) = try executor.block(for: narrowed, in: db)
        var found: [String: EdmEntity] = [:]
        for entity in EntityAssembler(shape: shape).entities(in: block) {
            guard let id = entity.id else { return nil }
            found[id] = entity
        }
        return found
    }

    /// `ID eq 1 or ID eq 2`
    private func condition(_ keys: [EntityKey]) -> QueryExpression {
        let set = table.set
        let conditions = keys.map { key in
            Self.joined(
                key.components.map { member in
                    let property = set.type.property(named: member.name)
                    let path = PropertyPath(
                        variableSet: set, variableType: set.type, steps: property.map { [.property($0)] } ?? [])
                    return .binary(.eq, .path(path), .literal(member.value, property?.type))
                }, by: .and)
        }
        return Self.joined(conditions, by: .or)
    }

    private static func joined(_ parts: [QueryExpression], by sign: BinaryOperator) -> QueryExpression {
        parts.dropFirst().reduce(parts.first ?? .literal(.boolean(false), .boolean)) { .binary(sign, $0, $1) }
    }
}

extension QueryOptions {
    /// Those of the options that leave it to each row whether it is in the result.
    fileprivate var rowwise: QueryOptions {
        var options = QueryOptions()
        options.filter = filter
        options.select = select
        options.expand = expand
        options.orderBy = orderBy
        options.top = top
        options.format = format
        return options
    }
}

extension ExpandItem {
    /// Whether neither the related entities nor what is read to find them, nor what they expand, are of `set`.
    fileprivate func leadsElsewhere(than set: EdmEntitySet) -> Bool {
        let sets = QuerySets(self)
        return targetSet != nil && !sets.names.contains(set.name) && sets.operations.isEmpty && !sets.usesResource
            && options.expand.allSatisfy { $0.leadsElsewhere(than: set) }
    }
}

extension QueryExpression {
    /// Whether the value follows from the properties of one row.
    fileprivate var isOfOneRow: Bool {
        switch self {
        case .literal: true
        case .path(let path): path.variable == .it && path.steps.allSatisfy(\.isOfOneRow)
        case .call(let function, let arguments): function != .now && arguments.allSatisfy(\.isOfOneRow)
        case .not, .negate, .binary, .inList, .conditional, .list, .cast, .isOf: operands.allSatisfy(\.isOfOneRow)
        case .lambda, .count, .operation, .root, .member, .object, .isDefined, .aggregate, .hierarchy: false
        }
    }

    /// `Note`; nil for anything else than a property of the entity itself.
    fileprivate var propertyName: String? {
        guard case .path(let path) = self, path.variable == .it, path.steps.count == 1,
            case .property(let property) = path.steps[0]
        else { return nil }
        return property.name
    }
}

extension PropertyPath.Step {
    fileprivate var isOfOneRow: Bool {
        switch self {
        case .property, .cast: true
        case .navigation, .key, .filter, .annotation: false
        }
    }
}
