/// Why a value is refused. The wording of each fault is here, once for all stores and for all readers of payloads: what
/// is wrong, the path of the value, and what to do.
package struct ValueProblem: Error {
    /// What the model declares at the path: `property`, `parameter`.
    package var subject: String
    /// From the entity to the value: `Address/Zip`, `Tags/2`
    package var path: String
    package var what: String

    package init(_ path: String, _ what: String, subject: String = "property") {
        self.subject = subject
        self.path = path
        self.what = what
    }

    package var message: String { "The \(subject) \(path) \(what)." }

    package static let mustNotBeNull = "must not be null: give it a value"
    package static let mustHaveValue = "must have a value: it has no default"
    package static let mustNotHaveNul = "must not have U+0000 in it: it is part of the key"

    /// `takes values of Edm.Byte, not 256`
    package static func takes(_ type: EdmTypeReference, not found: String) -> String {
        switch type {
        case .collection: "takes a collection, not \(found)"
        case .complex(let name), .entity(let name): "takes a \(name), not \(found)"
        default: "takes values of \(type), not \(found)"
        }
    }

    /// `takes members of Shop.Color, not “Pink”: use Red, Green, Blue`
    package static func takes(membersOf type: EdmEnumType, not found: String) -> String {
        let names = type.members.map(\.name)
        let few = names.count > 10 ? names.prefix(10) + ["…"] : names[...]
        let advice = few.isEmpty ? "" : ": use \(few.joined(separator: ", "))"
        return "takes members of \(type.name), not \(found)\(advice)"
    }

    package static func isNotDeclared(by type: EdmQualifiedName) -> String { "is not declared by \(type)" }

    /// `takes at most 2 digits after the decimal point, not 3: round the value`
    static func takes(atMost limit: Int, _ unit: String, not found: Int? = nil, _ advice: String) -> String {
        "takes at most \(limit) \(unit)\(found.map { ", not \($0)" } ?? ""): \(advice)"
    }
}

extension EdmValue {
    /// The value as messages show it.
    package var shown: String {
        switch self {
        case .null: "null"
        case .enumeration(_, let text) where Int64(text) != nil: text
        case .string(let text), .enumeration(_, let text): "“\(text.prefix(100))”"
        case .collection: "an array"
        case .complex, .geo: "an object"
        default: String(lexical.prefix(100))
        }
    }
}

extension JSONNode {
    /// The value as messages show it: `“Pink”`, `256`, `an object`
    package var shown: String {
        switch content {
        case .string(let text): "“\(text.prefix(100))”"
        case .number(let digits): String(digits.prefix(100))
        case .boolean(let value): "\(value)"
        case .null, .array, .object: kind
        }
    }
}
