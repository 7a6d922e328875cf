import ODataModel
import ODataQuery

/// The state that the parts of one statement share: the mapping, the aliases, the common table expressions, and the
/// time of `now()`.
final class StatementContext {
    let model: EdmModel
    let mapping: any SQLMapping
    /// The value of `now()`.
    let now: EdmDateTimeOffset
    private var aliases = 0
    private var definitions: [SQLFragment] = []
    private var size = StatementSize()
    private var longValues = 0
    private var texts = 0
    private var hierarchies: [RecursiveHierarchy: HierarchyTables] = [:]

    init(model: EdmModel, mapping: any SQLMapping, now: EdmDateTimeOffset) {
        self.model = model
        self.mapping = mapping
        self.now = now
    }

    /// `t0`, `t1`, ...
    func alias() -> String { "t\(number())" }

    /// A number that is unique in the statement.
    func number() -> Int {
        defer { aliases += 1 }
        return aliases
    }

    func scope(of set: EdmEntitySet) throws -> TableScope {
        TableScope(context: self, alias: alias(), set: set, source: try mapping.rows(of: set))
    }

    /// The mapping of `navigation` and a scope of its target, which is not joined yet.
    ///
    /// - Parameters:
    ///   - prefix: the complex properties before it: a navigation property of `Address/Country` has that path as its
    ///     name.
    ///   - type: what the entity is cast to, if not the type of `scope`.
    func target(
        of navigation: EdmNavigationProperty, under prefix: [EdmProperty] = [], from scope: TableScope,
        as type: EdmStructuredType? = nil
    ) throws -> (NavigationMapping, TableScope) {
        let path = try scope.navigationName(of: navigation, under: prefix, as: type)
        guard let mapping = scope.source.navigation[path] else {
            throw QueryError.noTable(forNavigation: "\(scope.set.name)/\(path)")
        }
        return (mapping, try target(of: navigation, in: try targetSet(of: mapping, named: path)))
    }

    /// The rows of the navigation property's type; the set may contain others, with the same columns.
    private func target(of navigation: EdmNavigationProperty, in set: EdmEntitySet) throws -> TableScope {
        var source = try mapping.rows(of: set)
        guard let type = model.target(of: navigation), type.name != set.type.name, type.isKind(of: set.type),
            let typeName = source.typeName
        else { return TableScope(context: self, alias: alias(), set: set, source: source) }
        let names = ([type] + model.derivedTypes(of: type)).map { SQLFragment.literal("\($0.name)") }
        let condition: SQLFragment = "\(typeName) IN (\(names.joined(", ")))"
        source.condition = source.condition.map { "(\($0)) AND \(condition)" } ?? condition
        return TableScope(context: self, alias: alias(), set: set, source: source, type: type)
    }

    /// The name in ``RowSource/navigation`` of the navigation property at `path` for entities of `type`.
    ///
    /// - Throws: ``QueryError`` `notImplemented` where types derived from it lead elsewhere: one statement reads one table.
    func navigationName(_ path: String, in source: RowSource, of type: EdmStructuredType, _ set: EdmEntitySet) throws
        -> String
    {
        guard source.hasTypedNavigation else { return path }
        let name = BoundNavigation.name(of: path, as: type) { source.navigation[$0] != nil }
        let other = model.derivedTypes(of: type).first { source.navigation["\($0.name):\(path)"] != nil }
        guard name != path || other == nil else {
            throw QueryError(
                .notImplemented,
                """
                \(path) of \(set.name) leads to another set for entities of the type \(other?.name ?? type.name): name \
                the type before it, as in \(other?.name ?? type.name)/\(path).
                """)
        }
        return name
    }

    func targetSet(of mapping: NavigationMapping, named path: String) throws -> EdmEntitySet {
        guard let set = model.entitySet(named: mapping.targetSet) ?? self.mapping.hiddenSet(named: mapping.targetSet)
        else { throw QueryError(.notImplemented, "The store has no set \(mapping.targetSet) for \(path).") }
        return set
    }

    // MARK: Long values

    /// A computed value that is composed of many others. All such values of a row share
    /// ``StatementSize/longestValues``.
    func bounded(_ value: SQLFragment) -> SQLFragment {
        longValues += 1
        return .call("odata_bounded", [value, "(SELECT bytes FROM \(identifier: Self.limitTable))"])
    }

    /// A computed value, which is bounded if it can be long: JSON may be a copy of a result of `nest`; a few texts have
    /// a limit of their own.
    func bounded(_ term: Term) -> Term {
        switch term.codec {
        case .json where term.entity == nil && term.literal == nil: break
        case .text where term.literal == nil:
            texts += 1
            guard texts > StatementSize.fewTexts else { return term }
        default: return term
        }
        var term = term
        term.sql = bounded(term.sql)
        term.isColumn = false
        return term
    }

    /// The table with one row that has the maximum number of bytes of each long value.
    private var limits: [SQLFragment] {
        guard longValues > 0 else { return [] }
        let bytes = min(StatementSize.longestValue, StatementSize.longestValues / longValues)
        return ["\(identifier: Self.limitTable) (bytes) AS (VALUES (\(bytes)))"]
    }

    // MARK: Tables of the statement's own

    private static let limitTable = "odata$limit"

    /// The prefix of the names of common table expressions.
    static let ownTable = "odata$"

    /// Adds `WITH "odata$1" AS (…)` to the statement; the name of that table.
    ///
    /// - Throws: ``QueryError`` of code `limitExceeded`, as ``complete(_:)`` and ``write(_:)`` do.
    func define(_ statement: SQLFragment) throws -> String {
        let name = "\(Self.ownTable)\(definitions.count)"
        guard definitions.count < StatementSize.mostTables else { throw StatementSize.tooManyTables }
        try size.name(table: name, statement)
        definitions.append("\(identifier: name) AS (\(statement))")
        return name
    }

    /// The tables of a hierarchy, shared in the statement.
    func tables(of hierarchy: RecursiveHierarchy) throws -> HierarchyTables {
        if let known = hierarchies[hierarchy] { return known }
        let tables = try HierarchyTables(hierarchy, context: self)
        hierarchies[hierarchy] = tables
        return tables
    }

    /// Adds a table with additional `columns`; returns its name.
    func define(_ statement: SQLFragment, computing columns: [(name: String, sql: SQLFragment)]) throws -> String {
        try define(size.name(columns: columns) ? StatementSize.isolated(statement) : statement)
    }

    /// Counts a part of the statement.
    func write(_ part: SQLFragment) throws { try size.write(part) }

    /// `statement` after the definitions of its tables.
    func complete(_ statement: SQLFragment) throws -> SQLStatement {
        try size.check(statement)
        let tables = limits + definitions
        return (tables.isEmpty ? statement : "WITH " + tables.joined(", ") + " " + statement).statement
    }
}

extension QueryError {
    static func noTable(forNavigation path: String) -> QueryError {
        QueryError(.notImplemented, "The store has no table for the navigation property \(path).")
    }
}
