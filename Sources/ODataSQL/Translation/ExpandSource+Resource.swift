import ODataModel
import ODataQuery

/// `$it` in the options of `$expand`: `Customers?$expand=Orders($filter=$it/City eq ShipCity)`.
///
/// [OData-URL, section 5.1.1.14.4]
extension ExpandSource {
    /// Makes the scope of the row that the expanded rows belong to, once it is asked for: a join by what the parents
    /// are known by here, as long as that is no value that several of them share.
    func resource(of item: ExpandItem, from statement: RowStatement) -> (() throws -> Scope) {
        { [weak scope] in
            let what = "$it in the options of \(item.relationName)"
            guard statement.projection.parent == nil, statement.isEntities, !statement.set.isCrossjoin,
                let mapping = statement.source.relations[item.relationName]
            else { throw ExpressionTranslator.unsupported("\(what), which is expanded inside another relation") }
            guard let scope else { throw ExpressionTranslator.unsupported(what) }
            if let known = scope.resource { return known }
            let parent = try scope.context.scope(of: statement.set)
            switch (mapping, RowProjection.anchorColumns(of: mapping, source: statement.source)) {
            case (.columns(let pairs, _), .some):
                guard item.navigation.isCollection else {
                    throw ExpressionTranslator.unsupported("\(what), which leads to one entity")
                }
                let turned = pairs.map { RelationMapping.ColumnPair(source: $0.target, target: $0.source) }
                scope.join(parent, on: Self.conditions(turned, target: parent))
            default: scope.join(parent, on: [try parent.rowID() + " = " + Self.value])
            }
            return parent
        }
    }
}
