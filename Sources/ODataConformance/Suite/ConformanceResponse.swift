import ODataModel

/// A response in a form that can be compared with a line of text.
enum ConformanceResponse: Sendable {
    case entities([EdmEntity], count: Int64?, areReferences: Bool)
    case value(EdmValue)
    case count(Int64)
    case nothing
    case notModified

    /// The keys of the entities: `1 2`, `100,1 100,2`
    var keys: [String]? {
        guard case .entities(let entities, _, _) = self else { return nil }
        return entities.map(\.keyText)
    }

    /// One line per entity.
    var lines: [String] {
        switch self {
        case .entities(let entities, let count, let areReferences):
            (count.map { ["#\($0)"] } ?? []) + entities.map { areReferences ? $0.referenceText : $0.text }
        case .value(let value): [value.urlLiteral]
        case .count(let count): ["\(count)"]
        case .nothing: ["nothing"]
        case .notModified: ["not modified"]
        }
    }
}

extension EdmEntity {
    /// `1`, `100,1`
    var keyText: String {
        key.map { $0.values.map(\.lexical).joined(separator: ",") } ?? "no key"
    }

    /// `@Products(1)`: the last segment of the id.
    var referenceText: String {
        "@" + (id.map { String($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...]) } ?? "none")
    }

    /// `Name='Chai' Category(Name='Beverages') Photos#2[Caption='Tea'; Caption=null]`
    var text: String {
        var parts = properties.members.map { "\($0.name)=\($0.value.urlLiteral)" }
        for (name, content) in expanded.sorted(by: { $0.key < $1.key }) {
            switch content {
            case .one(let entity): parts.append("\(name)(\(entity.map(\.text) ?? ""))")
            case .many(let entities, let count):
                let number = count.map { "#\($0)" } ?? ""
                parts.append("\(name)\(number)[\(entities.map(\.text).joined(separator: "; "))]")
            }
        }
        return parts.isEmpty ? referenceText : parts.joined(separator: " ")
    }
}
