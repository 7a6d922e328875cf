import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// The requests of a query that is refreshed by a property that indicates changes.
struct ChangedSinceQuery {
    let bound: BoundQuery
    let property: EdmProperty

    /// Nil unless the query is refreshed so.
    ///
    /// - Throws: ``ODataError`` `badRequest` if the property cannot be compared, or the query is one of
    ///   which only a part is requested.
    init?(_ definition: DefiningQuery, bound: BoundQuery, offline: OfflineModel) throws {
        guard case .changedSince(let name, _) = definition.refresh else { return nil }
        let subject = "The defining query \(definition.name)"
        guard bound.path.target == .collection, bound.options.top == nil, bound.options.skip == nil else {
            throw ODataError(
                .badRequest, "\(subject) is refreshed by \(name): it must request all entities that match its filter."
            )
        }
        guard let type = bound.path.entityType(in: offline.model), let property = type.property(named: name),
            property.type.primitive?.isOrdered == true
        else {
            throw ODataError(
                .badRequest,
                "\(subject) is refreshed by \(name), which is not a property that is "
                    + "ordered.")
        }
        self.property = property
        self.bound = bound
    }

    /// The query, with the property among what is selected.
    var complete: BoundQuery {
        var query = bound
        guard let select = query.options.select, !select.isEmpty, !select.contains(.all),
            !select.contains(.property([property]))
        else { return query }
        query.options.select = select + [.property([property])]
        return query
    }

    /// The changed entities: `… and ModifiedAt ge 2024-01-02T03:04:05Z`. Entities with the greatest known value are
    /// read again, since others may have got the same value later; entities without a value are always read.
    func changes(since text: String) -> BoundQuery? {
        guard let value = EdmValue(lexical: text, type: property.type), let set = bound.path.entitySet else {
            return nil
        }
        let type = bound.path.cast ?? set.type
        let path = QueryExpression.path(
            PropertyPath(variableSet: set, variableType: type, steps: [.property(property)]))
        var condition = QueryExpression.binary(.ge, path, .literal(value, property.type))
        if property.isNullable {
            condition = .binary(.or, condition, .binary(.eq, path, .literal(.null, nil)))
        }
        var query = complete
        query.options.filter = query.options.filter.map { .binary(.and, $0, condition) } ?? condition
        return query
    }

    /// The keys of all entities.
    var keys: BoundQuery {
        var query = bound
        let keys = bound.path.entitySet?.type.keyProperties ?? []
        query.options.select = keys.map { .property([$0]) }
        query.options.expand = []
        query.options.orderBy = []
        return query
    }

    /// The greatest value of the published rows, in its lexical form.
    ///
    /// - Parameter isComplete: Whether all rows of the query are examined.
    func greatest(of root: QueryNode, isComplete: Bool, in db: Database) throws -> String? {
        guard let column = root.table.column(of: property.name) else { return nil }
        let table = isComplete ? root.table.name : root.stage
        let held = "\(quoted(root.slot.column)) & \(root.slot.bit) <> 0"
        let clean = "\(.state) & \(LocalState.pending.rawValue) = 0"
        // Ordered by the column's own collation.
        let stored = try DatabaseValue.fetchOne(
            db,
            sql: """
                SELECT max(\(quoted(column.name))) FROM \(quoted(table))
                \(isComplete ? "WHERE \(held) AND \(clean)" : "")
                """)
        guard let stored, let value = column.value(of: stored), !value.isNull else { return nil }
        return value.lexical
    }
}

extension ResourcePath {
    /// The type of the last cast, unless a navigation property follows.
    fileprivate var cast: EdmStructuredType? {
        for segment in segments.reversed() {
            switch segment {
            case .cast(let type): return type
            case .navigation: return nil
            default: continue
            }
        }
        return nil
    }
}

extension EdmPrimitiveType {
    fileprivate var isOrdered: Bool {
        switch self {
        case .byte, .sByte, .int16, .int32, .int64, .decimal, .double, .single, .date, .dateTimeOffset, .timeOfDay,
            .string:
            true
        default: false
        }
    }
}
