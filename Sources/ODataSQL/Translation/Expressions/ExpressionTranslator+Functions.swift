import ODataModel
import ODataQuery

/// [OData-URL, sections 5.1.1.5 to 5.1.1.11]
extension ExpressionTranslator {
    func call(_ function: CanonicalFunction, _ arguments: [Term]) throws -> Term {
        switch (function, arguments.count) {
        case (.now, 0): return try Term(literal: .dateTimeOffset(context.now))
        case (.mindatetime, 0): return Term(.bound(.text("0001-01-01T00:00:00")), .instantText, isNullable: false)
        case (.maxdatetime, 0):
            return Term(.bound(.text("9999-12-31T23:59:59.999999999999")), .instantText, isNullable: false)
        case (_, 1...3):
            if arguments.contains(where: { $0.literal == .null }) { return .nothing(Self.codec(of: function)) }
            if arguments[0].isCollection || arguments.last?.isCollection == true,
                arguments.count > 1
                    || function == .length
            {
                return try collection(function, arguments)
            }
            return try function.term(of: arguments[0], Array(arguments.dropFirst()))
        default: throw Self.unsupported("\(function.rawValue) with \(arguments.count) arguments")
        }
    }

    /// The codec of a function's result, for calls that return null.
    private static func codec(of function: CanonicalFunction) -> ColumnCodec {
        switch function {
        case .concat, .replace, .substring, .tolower, .toupper, .trim: .text
        case .contains, .endswith, .startswith, .matchesPattern, .hassubset, .hassubsequence, .geoIntersects: .boolean
        case .date: .date
        case .time: .timeOfDay
        case .now, .maxdatetime, .mindatetime: .instantText
        case .ceiling, .floor, .round, .fractionalseconds, .totalseconds: .decimalText
        case .geoDistance, .geoLength: .real
        default: .integer
        }
    }
}
