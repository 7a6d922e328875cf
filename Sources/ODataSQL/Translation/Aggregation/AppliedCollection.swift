import ODataModel
import ODataQuery

/// A collection of complex values after its options, where `$apply` is one of them.
///
/// [OData-Aggregation, section 3]
struct AppliedCollection {
    /// The JSON of the result.
    let array: SQLFragment
    let type: EdmTypeReference
    /// The number of results before `$top` and `$skip`.
    let count: SQLFragment

    /// Nil without `$apply`, and for other values.
    init?(_ query: BoundQuery, to type: EdmTypeReference, rest: [EdmProperty], context: StatementContext) throws {
        let options = query.options
        guard let apply = options.apply, rest.isEmpty, case .collection(let element) = type,
            case .complex(let name) = element, let declared = context.model.structuredType(named: name)
        else { return nil }
        var rows = try RowSet(membersOf: try PathSource(query.path, context: context), type: declared)
        try rows.applyOptions(options)
        try rows.orderBy(options.orderBy)
        var counting = rows.statement
        counting.columns = ["count(*)"]
        count = counting.sql.parenthesised
        var statement = rows.statement
        if apply.type == declared, options.compute.isEmpty, let whole = rows.scope.source.columns[RowSet.wholeMember] {
            self.type = type
            statement.columns = [rows.scope.column(whole.column) + " AS \"object$\""]
        } else {
            self.type = .collection(.primitive(.untyped))
            statement.columns = [try rows.object(with: options.compute.map(\.alias)) + " AS \"object$\""]
        }
        statement.order = try rows.totalOrder().map(\.sql)
        statement.limit = options.top
        statement.offset = options.skip
        array = "(SELECT json_group_array(json(\"object$\")) FROM (" + statement.sql + "))"
    }
}

extension RowSet {
    /// The column with the whole member, and its name among the properties.
    static let wholeMember = "value$"

    /// The set that members of a collection of complex values are of.
    private static let members = "$members"

    /// Whether the rows are members of a collection of values.
    var areValues: Bool { scope.set.name == Self.members }

    /// The members of a collection of complex values, with a column for each property, in their order.
    init(membersOf source: PathSource, type: EdmStructuredType) throws {
        var owner = source.rows
        let context = owner.context
        try owner.follow(source.properties.map { .property($0) })
        guard case .element(let alias, _)? = owner.member else {
            throw ExpressionTranslator.unsupported("$apply on such a value")
        }
        var statement = owner.statement
        var columns = [Self.wholeMember: ColumnMapping(column: Self.wholeMember, codec: .json)]
        statement.columns = ["key", "value"].map { SQLFragment.column(alias, $0).named("\($0)$") }
        for (index, property) in type.properties.enumerated() where !property.isStream {
            let path = PropertyPath(variableSet: nil, variableType: type, steps: [.property(property)])
            let term = try owner.term(path)
            statement.columns.append(term.sql.named("m$\(index)"))
            columns[property.name] = ColumnMapping(column: "m$\(index)", codec: term.codec)
        }
        var rows = RowSource(table: try context.define(statement.sql), rowID: nil, columns: columns)
        rows.typeName =
            "coalesce(odata_typename(\(SQLFragment.row(Self.wholeMember))), \(literal: "\(type.name)"))"
        rows.dynamicColumn = Self.wholeMember
        let set = EdmEntitySet(
            declaration: EdmEntitySetDeclaration(name: Self.members, type: type.name), type: type)
        let scope = TableScope(context: context, alias: context.alias(), set: set, source: rows, type: type)
        self.init(scope: scope, tables: scope.table)
        isEntities = false
        order = [OrderTerm(expression: scope.column("key$"), isDescending: false, isNullable: false)]
    }
}
