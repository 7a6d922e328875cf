import ODataQuery

/// Rules of literals, in URLs and in payloads.
///
/// [OData-ABNF, section 7]
extension GrammarRule {
    private typealias Text = @Sendable (inout SyntaxParser) throws -> Void

    static let literalRules: [String: Form] = {
        var rules: [String: Form] = [:]
        for (name, text) in numbers { rules[name + "Literal"] = encoded(text) }
        rules.merge(quoted.mapValues { encoded($0) }) { first, _ in first }
        rules["dateTimeOffsetValueInUrl"] = encoded { try $0.dateTimeOffsetText() }
        rules["dateTimeOffsetLiteral"] = encoded { try $0.dateTimeOffsetText() }
        rules["timeOfDayLiteral"] = encoded { try $0.timeText() }
        rules["primitiveLiteral"] = .encoded { .expression(try $0.literalExpression()) }
        rules["keyPropertyValue"] = rules["primitiveLiteral"]
        rules["stringLiteral"] = .encoded { .expression(try $0.strictString()) }
        rules["string"] = rules["stringLiteral"]
        rules["enumLiteral"] = .encoded { try $0.enumLiteral() }
        rules["enum"] = rules["enumLiteral"]
        rules["singleEnumLiteral"] = .encoded { .enumeration(nil, try $0.enumMembers()) }
        for name in ["binary", "duration"] { rules[name] = rules[name + "Literal"] }
        rules.merge(geo) { first, _ in first }
        rules["sridLiteral"] = encoded { _ = try $0.sridLiteral() }
        rules["positionLiteral"] = encoded { _ = try $0.position() }
        rules["pointData"] = encoded { _ = try $0.pointData() }
        rules["lineStringData"] = encoded { _ = try $0.lineStringData() }
        rules["polygonData"] = encoded { _ = try $0.polygonData() }
        rules["ringLiteral"] = encoded { _ = try $0.ringLiteral() }
        return rules
    }()

    static let valueRules: [String: Form] = {
        var rules: [String: Form] = [:]
        for (name, text) in numbers { rules[name + "Value"] = plain(text) }
        rules["null"] = plain { parser in
            guard parser.takeText("null", ignoringCase: false) else { throw parser.unexpected("null") }
        }
        rules["nanInfinity"] = plain { parser in
            guard !parser.isDigit(), !parser.isDigit(1) else { throw parser.unexpected("NaN, INF or -INF") }
            try parser.decimalText()
        }
        for suffix in ["", "Value"] {
            rules["boolean" + suffix] = plain { try $0.booleanText(ignoringCase: suffix.isEmpty) }
            rules["guid" + suffix] = plain { try $0.guidText() }
            rules["date" + suffix] = plain { try $0.dateText() }
            rules["byte" + suffix] = plain { try $0.integerText(3, isSigned: false) }
        }
        rules["dateTimeOffsetValue"] = plain { try $0.dateTimeOffsetText() }
        rules["timeOfDayValue"] = plain { try $0.timeText() }
        rules["durationValue"] = plain { try $0.durationText() }
        rules["binaryValue"] = plain { try $0.binaryText() }
        rules["stringValue"] = plain { try $0.stringText() }
        rules["primitiveValue"] = .plain { try $0.primitiveValue() }
        rules["enumValue"] = .plain { .enumeration(nil, try $0.enumMembers()) }
        rules["singleEnumValue"] = rules["enumValue"]
        rules["year"] = plain { try $0.yearText() }
        for (name, range, expected) in twoDigits { rules[name] = plain { try $0.twoDigits(range, expected) } }
        rules["fractionalSeconds"] = plain { try $0.digits(1...12) }
        return rules
    }()

    private static let twoDigits: [(String, ClosedRange<Int>, String)] = [
        ("month", 1...12, "a month"), ("day", 1...31, "a day"), ("hour", 0...23, "an hour"),
        ("minute", 0...59, "a minute"), ("second", 0...60, "a second"), ("zeroToFiftyNine", 0...59, "00 to 59"),
    ]

    private static let numbers: [(String, Text)] = [
        ("decimal", { try $0.decimalText() }), ("double", { try $0.decimalText() }),
        ("single", { try $0.decimalText() }), ("sbyte", { try $0.integerText(3) }),
        ("byte", { try $0.integerText(3, isSigned: false) }), ("int16", { try $0.integerText(5) }),
        ("int32", { try $0.integerText(10) }), ("int64", { try $0.integerText(19) }),
    ]

    private static let quoted: [String: Text] = [
        "binaryLiteral": { parser in
            try parser.quoted("binary") { parser throws(QueryError) in try parser.binaryText() }
        },
        "durationLiteral": { parser in
            try parser.quoted("duration", isOptional: true) { parser throws(QueryError) in try parser.durationText() }
        },
    ]

    static let shapes = [
        "Collection", "LineString", "MultiLineString", "MultiPoint", "MultiPolygon", "Point", "Polygon",
    ]

    /// `geographyPoint`, `fullPointLiteral`, `pointLiteral` and their kin.
    private static let geo: [String: Form] = {
        var rules: [String: Form] = [:]
        for shape in shapes {
            for prefix in ["geography", "geometry"] {
                rules[prefix + shape] = .encoded { .expression(try $0.geo(prefix, shape)) }
            }
            let word = shape == "Collection" ? "GeometryCollection" : shape
            rules["full\(shape)Literal"] = encoded { try $0.fullGeo(word) }
            rules[shape.prefix(1).lowercased() + shape.dropFirst() + "Literal"] = encoded { try $0.shapeText(word) }
        }
        rules["geoLiteral"] = encoded { try $0.shapeText(nil) }
        return rules
    }()

    /// A literal that is kept as text; in URLs a sign `+` is percent-encoded.
    private static func encoded(_ text: @escaping Text) -> Form {
        .encoded { parser in
            if let plus = parser.source.raw.firstIndex(of: UInt8(ascii: "+")) {
                throw parser.invalid("%2B for the sign", at: plus)
            }
            return try read(&parser, text)
        }
    }

    private static func plain(_ text: @escaping Text) -> Form { .plain { try read(&$0, text) } }

    private static func read(_ parser: inout SyntaxParser, _ text: Text) throws -> GrammarNode {
        let start = parser.offset
        try text(&parser)
        return .text(parser.source.string(start..<parser.offset))
    }
}

extension SyntaxParser {
    mutating func literalExpression() throws(QueryError) -> ExpressionSyntax {
        guard let literal = try literalExpr() else { throw unexpected("a literal") }
        return literal
    }

    /// `stringLiteral`: what must be encoded in a path must be encoded here.
    fileprivate mutating func strictString() throws(QueryError) -> ExpressionSyntax {
        if let index = source.raw.firstIndex(where: { " /?#[]{}\"<>\\^`|".utf8.contains($0) }) {
            throw error(
                .syntax, "This must be percent-encoded.", at: index, expected: "%20 for a space, %2F for a slash")
        }
        let start = offset
        return ExpressionSyntax(kind: .literal(.string(try quotedText())), offset: start, height: 1)
    }

    /// `enumLiteral`
    fileprivate mutating func enumLiteral() throws(QueryError) -> GrammarNode {
        let type = isNext("'") ? nil : try name("an enumeration type")
        try expect("'")
        let members = try enumMembers()
        try expect("'", "',' or a closing quote")
        guard let type else { return .enumeration(nil, members) }
        guard type.isQualified else { throw invalid("a type with its namespace", at: type.offset) }
        return .enumeration(type.text, members)
    }

    fileprivate mutating func enumMembers() throws(QueryError) -> String {
        let start = offset
        try enumText()
        return source.string(start..<offset)
    }

    fileprivate mutating func primitiveValue() throws(QueryError) -> GrammarNode {
        let start = offset
        try primitiveValueText()
        return .text(source.string(start..<offset))
    }

    fileprivate mutating func geo(_ prefix: String, _ shape: String) throws(QueryError) -> ExpressionSyntax {
        let start = offset
        guard let literal = try geoLiteral(), literal.isGeography == (prefix == "geography"),
            literal.shape.name == shape
        else { throw invalid("\(prefix)'SRID=…;\(shape)(…)'", at: start) }
        return ExpressionSyntax(kind: .geo(literal), offset: start, height: 1)
    }

    fileprivate mutating func fullGeo(_ word: String) throws(QueryError) {
        let start = offset
        let literal = try fullGeoLiteral(isGeography: true)
        guard literal.shape.wellKnownText.hasPrefix(word) else { throw invalid("SRID=…;\(word)(…)", at: start) }
    }

    fileprivate mutating func shapeText(_ word: String?) throws(QueryError) {
        let start = offset
        let shape = try geoShape()
        guard let word, !shape.wellKnownText.hasPrefix(word) else { return }
        throw invalid("\(word)(…)", at: start)
    }
}
