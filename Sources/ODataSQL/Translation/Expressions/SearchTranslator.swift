import ODataModel
import ODataQuery

/// Writes the SQL of `$search`.
///
/// A term matches a word of the text that starts with it, a phrase matches consecutive words; case and diacritics are
/// ignored. The full-text table of the rows is used if there is one, otherwise all string properties are searched.
/// [OData-URL, section 5.1.8]
struct SearchTranslator {
    private let scope: TableScope

    init(_ scope: TableScope) {
        self.scope = scope
    }

    func condition(_ search: SearchExpression) throws -> SQLFragment {
        guard let table = scope.source.searchTable, scope.source.rowID != nil else { return try scan(search) }
        if let query = search.fullTextQuery { return try match(query, in: table) }
        switch search {
        case .not(let inner): return "NOT (" + (try condition(inner)) + ")"
        case .and(let parts): return ExpressionTranslator.chain(try parts.map { try condition($0) }, " AND ")
        case .or(let parts): return ExpressionTranslator.chain(try parts.map { try condition($0) }, " OR ")
        case .word, .phrase: return try scan(search)
        }
    }

    /// `"t0"."id" IN (SELECT rowid FROM "search" WHERE "search" MATCH ?)`
    private func match(_ query: String, in table: String) throws -> SQLFragment {
        let rows: SQLFragment =
            "SELECT rowid FROM \(identifier: table) WHERE \(identifier: table) MATCH \(bound: .text(query))"
        return (try scope.rowID() + " IN (" + rows + ")").parenthesised
    }

    // MARK: Without an index

    private func scan(_ search: SearchExpression) throws -> SQLFragment {
        switch search {
        case .word(let text): try scan(text, isPhrase: false)
        case .phrase(let text): try scan(text, isPhrase: true)
        case .not(let inner): "NOT (" + (try scan(inner)) + ")"
        case .and(let parts): ExpressionTranslator.chain(try parts.map { try scan($0) }, " AND ")
        case .or(let parts): ExpressionTranslator.chain(try parts.map { try scan($0) }, " OR ")
        }
    }

    /// `odata_search(?, 0, "t0"."Name", "t0"."Description")`, with no more arguments than SQLite accepts.
    private func scan(_ text: String, isPhrase: Bool) throws -> SQLFragment {
        let columns = searched
        let lead: [SQLFragment] = [.bound(.text(text)), isPhrase ? "1" : "0"]
        let tests = stride(from: 0, to: columns.count, by: 100).map { start in
            SQLFragment.call("odata_search", lead + columns[start..<min(start + 100, columns.count)])
        }
        return ExpressionTranslator.chain(tests, " OR ")
    }

    private var searched: [SQLFragment] { scope.source.searchedColumns(of: scope.type).map(scope.column) }
}

extension RowSource {
    /// The columns that are searched: of all string properties, or of those that the model declares searchable.
    package func searchedColumns(of type: EdmStructuredType) -> [String] {
        let marked = type.searchableProperties
        return columns.sorted { $0.key < $1.key }.compactMap { name, mapping in
            let isText = mapping.codec == .text || mapping.codec == .json
            guard isText, marked.isEmpty || marked.contains(where: { name == $0 || name.hasPrefix($0 + "/") }) else {
                return nil
            }
            return Self.isString(name, mapping, of: type) ? mapping.column : nil
        }
    }

    private static func isString(_ name: String, _ mapping: ColumnMapping, of type: EdmStructuredType) -> Bool {
        let property = type.property(named: name)?.type
        if mapping.codec == .text { return property == nil || property == .string || property == .collection(.string) }
        return property == .collection(.string)
    }
}

extension EdmStructuredType {
    /// The names of the properties that the model declares searchable with a term whose name is `Searchable`; empty for
    /// all string properties.
    package var searchableProperties: [String] {
        properties.filter { $0.annotations.contains(where: \.marksSearchable) }.map(\.name)
    }
}

extension SearchExpression {
    /// The query in the language of FTS5; nil if it has a NOT, which FTS5 only supports between two queries.
    fileprivate var fullTextQuery: String? {
        switch self {
        case .word(let text): Self.tokens(text) + "*"
        case .phrase(let text): Self.tokens(text)
        case .not: nil
        case .and(let parts): Self.joined(parts, " AND ")
        case .or(let parts): Self.joined(parts, " OR ")
        }
    }

    private static func joined(_ parts: [SearchExpression], _ operation: String) -> String? {
        let queries = parts.compactMap(\.fullTextQuery)
        guard queries.count == parts.count, !queries.isEmpty else { return nil }
        return "(" + queries.joined(separator: operation) + ")"
    }

    /// `"mountain bike"`: FTS5 splits quoted text into words as it splits the rows.
    private static func tokens(_ text: String) -> String {
        "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

extension EdmAnnotation {
    /// `Searchable`, of whatever vocabulary, with a value other than false.
    fileprivate var marksSearchable: Bool {
        let name = term.split(separator: "#").first?.split(separator: ".").last
        return (name == "Searchable" || name == "IsSearchable") && value != .bool(false)
    }
}
