import ODataModel

/// What a canonical function takes and gives.
///
/// [OData-URL, sections 5.1.1.5 to 5.1.1.11]
struct FunctionSignature {
    enum Parameter: String, CustomStringConvertible {
        case string, integer, number, duration, collection
        case text = "string or collection"
        case member = "string or member of the collection"
        case instant = "date and time"
        case day = "date, or date and time"
        case clock = "time of day, or date and time"
        case point = "geo point"
        case line = "geo line string"
        case area = "geo polygon"

        func accepts(_ type: EdmTypeReference) -> Bool {
            switch (self, type) {
            case (.text, .collection), (.collection, .collection), (.member, _): true
            case (_, .primitive(let type)): type == .untyped || accepts(type)
            default: false
            }
        }

        private func accepts(_ type: EdmPrimitiveType) -> Bool {
            switch self {
            case .string, .text: type == .string
            case .member: true
            case .collection: false
            case .integer: type.integerRange != nil
            case .number: type.isNumeric
            case .duration: type == .duration
            case .instant: type == .dateTimeOffset
            case .day: type == .date || type == .dateTimeOffset
            case .clock: type == .timeOfDay || type == .dateTimeOffset
            case .point: [.geographyPoint, .geometryPoint, .geography, .geometry].contains(type)
            case .line: [.geographyLineString, .geometryLineString, .geography, .geometry].contains(type)
            case .area: [.geographyPolygon, .geometryPolygon, .geography, .geometry].contains(type)
            }
        }

        /// Whether an object may be given, for an argument that comes after one of type `first`: a member of a
        /// collection of complex values, or GeoJSON.
        func acceptsObjects(after first: EdmTypeReference?) -> Bool {
            switch self {
            case .point, .line, .area: true
            case .member: first != .string
            default: false
            }
        }

        var description: String { (self == .integer ? "an " : "a ") + rawValue }
    }

    enum Result {
        case fixed(EdmTypeReference)
        /// That of the first argument; decimal for integers.
        case number
        /// That of the first argument.
        case first
    }

    var parameters: [Parameter]
    /// How many of ``parameters`` must be given.
    var required: Int
    private var result: Result

    fileprivate init(_ parameters: [Parameter], required: Int? = nil, _ result: Result) {
        self.parameters = parameters
        self.required = required ?? parameters.count
        self.result = result
    }

    fileprivate init(_ parameters: [Parameter], required: Int? = nil, _ result: EdmPrimitiveType) {
        self.init(parameters, required: required, .fixed(.primitive(result)))
    }

    /// The type of a call whose first argument has the given type.
    func result(_ first: EdmTypeReference?) -> EdmTypeReference {
        switch result {
        case .fixed(let type): return type
        case .first: return first ?? .string
        case .number:
            guard let first, first.primitive?.integerRange == nil else { return .decimal }
            return first
        }
    }

    /// `substring(a string, an integer, an integer)`
    func description(of function: CanonicalFunction) -> String {
        "\(function.rawValue)(\(parameters.map(\.description).joined(separator: ", ")))"
    }
}

extension CanonicalFunction {
    /// The function whose name in lower case is `name`.
    static func named(_ name: String) -> CanonicalFunction? {
        switch name {
        case "matchespattern": .matchesPattern
        case "geo.distance": .geoDistance
        case "geo.intersects": .geoIntersects
        case "geo.length": .geoLength
        default: CanonicalFunction(rawValue: name)
        }
    }

    var signature: FunctionSignature {
        switch self {
        case .concat: .init([.text, .text], .first)
        case .contains, .endswith, .startswith: .init([.text, .member], .boolean)
        case .matchesPattern: .init([.string, .string], .boolean)
        case .indexof: .init([.text, .member], .int32)
        case .length: .init([.text], .int32)
        case .substring: .init([.text, .integer, .integer], required: 2, .first)
        case .tolower, .toupper, .trim: .init([.string], .string)
        case .replace: .init([.string, .string, .string], .string)
        case .date: .init([.instant], .date)
        case .time: .init([.instant], .timeOfDay)
        case .day, .month, .year: .init([.day], .int32)
        case .hour, .minute, .second: .init([.clock], .int32)
        case .fractionalseconds: .init([.clock], .decimal)
        case .totaloffsetminutes: .init([.instant], .int32)
        case .totalseconds: .init([.duration], .decimal)
        case .now, .maxdatetime, .mindatetime: .init([], .dateTimeOffset)
        case .ceiling, .floor, .round: .init([.number], .number)
        case .hassubset, .hassubsequence: .init([.collection, .collection], .boolean)
        case .geoDistance: .init([.point, .point], .double)
        case .geoIntersects: .init([.point, .area], .boolean)
        case .geoLength: .init([.line], .double)
        }
    }
}
