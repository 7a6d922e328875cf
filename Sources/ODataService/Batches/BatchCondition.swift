import ODataModel
import ODataQuery

/// The condition of a request in a JSON batch: `"if":"$1/$succeeded or not $2/$succeeded"`.
///
/// [OData-JSON, section 19.1: `if`]
struct BatchCondition {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Whether the request is to be executed.
    ///
    /// - Parameters:
    ///   - ids: the requests and groups that it depends on.
    ///   - failed: those that did not succeed.
    /// - Throws: 424 for what asks for more than success, as for conditions that a service does not support at all; 400
    ///   for what is not a condition.
    func holds(after ids: [String], failed: Set<String>) throws -> Bool {
        let known = ids.reduce(text) { text, id in
            text.replacing("$\(id)/$succeeded", with: failed.contains(id) ? "false" : "true")
        }
        guard !known.contains("$") else { throw unsupported }
        let nothing = EdmStructuredType(
            declaration: .init(kind: .complex, name: EdmQualifiedName("Edm.ComplexType"), properties: []))
        let parser = QueryParser(model: try EdmModel(schemas: []))
        return try value(of: try parser.expression(known, type: nothing, set: nil))
    }

    private func value(of expression: QueryExpression) throws -> Bool {
        switch expression {
        case .literal(.boolean(let value), _): value
        case .not(let operand): try !value(of: operand)
        case .binary(.and, let left, let right): try value(of: left) && value(of: right)
        case .binary(.or, let left, let right): try value(of: left) || value(of: right)
        case .binary(.eq, let left, let right): try value(of: left) == value(of: right)
        case .binary(.ne, let left, let right): try value(of: left) != value(of: right)
        default: throw unsupported
        }
    }

    private var unsupported: ServiceFailure {
        .failedDependency(
            "Not executed: the condition “\(text)” asks for more than $<id>/$succeeded of what its request depends on.")
    }
}
