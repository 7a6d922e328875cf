import ODataModel

/// What a canonical function takes and gives.
///
/// [OData-URL, sections 5.1.1.5 to 5.1.1.9]
struct FunctionSignature {
    enum Parameter: String, CustomStringConvertible {
        case string, integer, number, duration
        case instant = "date and time"
        case day = "date, or date and time"
        case clock = "time of day, or date and time"

        func accepts(_ type: PrimitiveType) -> Bool {
            switch self {
            case .string: type == .string
            case .integer: type.integerRange != nil
            case .number: type.isNumeric
            case .duration: type == .duration
            case .instant: type == .dateTimeOffset
            case .day: type == .date || type == .dateTimeOffset
            case .clock: type == .timeOfDay || type == .dateTimeOffset
            }
        }

        var description: String { (self == .integer ? "an " : "a ") + rawValue }
    }

    var parameters: [Parameter]
    /// How many of ``parameters`` must be given.
    var required: Int
    /// Nil: the type of the first argument.
    private var fixedResult: TypeReference?

    fileprivate init(_ parameters: [Parameter], required: Int? = nil, _ result: PrimitiveType?) {
        self.parameters = parameters
        self.required = required ?? parameters.count
        fixedResult = result.map { .primitive($0) }
    }

    /// The type of a call whose first argument has the given type.
    func result(_ first: TypeReference?) -> TypeReference {
        if let fixedResult { return fixedResult }
        guard let first, first.primitive?.integerRange == nil else { return .decimal }
        return first
    }

    /// `substring(a string, an integer, an integer)`
    func description(of function: CanonicalFunction) -> String {
        "\(function.rawValue)(\(parameters.map(\.description).joined(separator: ", ")))"
    }
}

extension CanonicalFunction {
    /// Functions of the standard that are not supported.
    static let unsupported: Set<String> = [
        "cast", "isof", "case", "geo.distance", "geo.intersects", "geo.length", "hassubset", "hassubsequence",
    ]

    /// The function whose name in lower case is `name`.
    static func named(_ name: String) -> CanonicalFunction? {
        unsupported.contains(name)
            ? nil : CanonicalFunction(rawValue: name) ?? (name == "matchespattern" ? .matchesPattern : nil)
    }

    var signature: FunctionSignature {
        switch self {
        case .concat: .init([.string, .string], .string)
        case .contains, .endswith, .startswith, .matchesPattern: .init([.string, .string], .boolean)
        case .indexof: .init([.string, .string], .int32)
        case .length: .init([.string], .int32)
        case .substring: .init([.string, .integer, .integer], required: 2, .string)
        case .tolower, .toupper, .trim: .init([.string], .string)
        case .date: .init([.instant], .date)
        case .time: .init([.instant], .timeOfDay)
        case .day, .month, .year: .init([.day], .int32)
        case .hour, .minute, .second: .init([.clock], .int32)
        case .fractionalseconds: .init([.clock], .decimal)
        case .totaloffsetminutes: .init([.instant], .int32)
        case .totalseconds: .init([.duration], .decimal)
        case .now, .maxdatetime, .mindatetime: .init([], .dateTimeOffset)
        case .ceiling, .floor, .round: .init([.number], nil)
        case .hassubset, .hassubsequence, .geoIntersects: .init([], .boolean)
        case .geoDistance, .geoLength: .init([], .double)
        }
    }
}
