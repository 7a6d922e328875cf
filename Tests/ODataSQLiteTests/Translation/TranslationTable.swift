import Foundation
import ODataModel
import ODataQuery
import ODataStores

@testable import ODataSQLite

/// The requests of one topic in `Translations.txt`, with the SQL of each and the rows it gives:
///
/// ```
/// Products?$filter=Price gt 10
/// FROM "Products" AS "t0" WHERE "t0"."Price" > ? …
/// = 1 3
/// ```
///
/// The list of columns before the first `FROM` is left out where it is that of entities. `--` comes before what is bound.
struct TranslationTable {
    struct Row: Sendable {
        let url: String
        let sql: String
        let rows: String
    }

    let rows: [Row]

    /// - Parameter topic: a part of `Translations.txt`, which follows a line `# topic`.
    init(topic: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Translations.txt")
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n# ")
        let part = parts.first { $0.hasPrefix(topic + "\n") } ?? ""
        rows = part.components(separatedBy: "\n\n").dropFirst().map { block in
            let lines = block.split(separator: "\n").map(String.init)
            return Row(
                url: lines.first ?? "", sql: lines.dropFirst().dropLast().joined(separator: " "),
                rows: lines.last.map { String($0.dropFirst(2)) } ?? "")
        }
    }

    /// The statements of a query, each with what is bound to it.
    static func sql(_ query: BoundQuery, _ executor: QueryExecutor) throws -> String {
        try executor.explanation(of: query).map { statement in
            let text = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard text.hasPrefix("SELECT "), query.options.apply == nil, let from = text.range(of: " FROM \"") else {
                return text
            }
            return String(text[text.index(after: from.lowerBound)...])
        }.joined(separator: " ; ")
    }

    /// The key of each entity, with those of what it expands; the properties of rows without a key; a value or a count.
    static func rows(of result: ReadResult) async throws -> String {
        switch result.body {
        case .entities(let reader):
            let assembler = EntityAssembler(shape: reader.shape)
            var entities: [EdmEntity] = []
            while let block = try await reader.next() { entities += assembler.entities(in: block) }
            return rows(entities)
        case .value(let value, _): return value.lexical
        case .count(let count): return "\(count)"
        case .nothing, .notModified: return ""
        }
    }

    private static func rows(_ entities: [EdmEntity]) -> String {
        entities.map { entity in
            let own = entity.key == nil ? ShopDatabase.text(entity.properties) : ModelDatabase.key(entity)
            guard let expanded = entity.expanded.min(by: { $0.key < $1.key })?.value else { return own }
            switch expanded {
            case .many(let members, _): return "\(own)(\(members.map(ModelDatabase.key).joined(separator: " ")))"
            case .one(let member): return "\(own)(\(member.map(ModelDatabase.key) ?? ""))"
            }
        }.joined(separator: " ")
    }
}
