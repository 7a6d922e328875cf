import ODataModel
import ODataQuery

/// Functions on collections, which are JSON arrays. [OData-URL, sections 5.1.1.5 and 5.1.1.6]
extension ExpressionTranslator {
    func collection(_ function: CanonicalFunction, _ arguments: [Term]) throws -> Term {
        let first = arguments[0]
        switch (function, arguments.count) {
        case (.length, 1): return Term(.call("json_array_length", [first.sql]), .integer, type: .int32)
        case (.substring, 2), (.substring, 3):
            if arguments.count == 3, case .integer(let length) = arguments[2].literal, length < 0 {
                throw QueryError(.typeMismatch, "The length of a part cannot be negative: \(length).")
            }
            return Term(.call("odata_slice", arguments.map(\.sql)), .json, type: first.type)
        case (.concat, 2): return Term(.call("odata_append", arguments.map(\.sql)), .json, type: first.type)
        case (.hassubset, 2), (.hassubsequence, 2), (.contains, 2), (.startswith, 2), (.endswith, 2):
            return Term(condition: try test(function, arguments))
        case (.indexof, 2): return Term(try test(function, arguments), .integer, type: .int32)
        default: throw Self.unsupported("\(function.rawValue) of collections")
        }
    }

    /// `odata_hassubset('[4,1]', '[1]', 'Int32')`
    private func test(_ function: CanonicalFunction, _ arguments: [Term]) throws -> SQLFragment {
        guard arguments.allSatisfy({ $0.codec == .json || $0.isUntyped }) else {
            throw Self.unsupported("\(function.rawValue) of a collection and a single value")
        }
        return .call(
            "odata_collection",
            [SQLFragment.literal(function.rawValue)] + arguments.map(\.sql)
                + [Self.kind(arguments[0], arguments[1])])
    }
}

extension Term {
    /// Whether the value is a collection.
    var isCollection: Bool {
        if type?.isCollection == true { return true }
        if case .collection = literal { return true }
        return false
    }
}
