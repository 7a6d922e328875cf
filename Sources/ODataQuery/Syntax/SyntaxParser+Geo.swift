import ODataModel

/// Geography and geometry literals.
///
/// [OData-ABNF, section 7: `geographyPoint`, `fullPointLiteral` and the rules around them]
extension SyntaxParser {
    /// A literal, or nil (and nothing taken) if there is something else.
    package mutating func geoLiteral() throws(QueryError) -> GeoLiteral? {
        guard let byte = peek(), byte | 0x20 == UInt8(ascii: "g") else { return nil }
        let start = offset
        let stop = identifierEnd(from: start)
        guard stop < end, source.text[stop] == UInt8(ascii: "'") else { return nil }
        let name = source.string(start..<stop).lowercased()
        guard name == "geography" || name == "geometry" else { return nil }
        offset = stop + 1
        let literal = try fullGeoLiteral(isGeography: name == "geography")
        try expect("'", "a closing quote")
        return literal
    }

    /// `SRID=4326;Point(142.1 64.1)`; many clients leave the usual coordinate system out.
    package mutating func fullGeoLiteral(isGeography: Bool) throws(QueryError) -> GeoLiteral {
        if !dialect.isStrict, !isNext("S"), !isNext("s") {
            return GeoLiteral(
                isGeography: isGeography, srid: GeoLiteral.usualSRID(isGeography: isGeography), shape: try geoShape())
        }
        let srid = try sridLiteral()
        return GeoLiteral(isGeography: isGeography, srid: srid, shape: try geoShape())
    }

    /// `SRID=4326;`
    package mutating func sridLiteral() throws(QueryError) -> Int {
        guard takeGeoWord("srid"), consume("=") else { throw unexpected("SRID=…;") }
        let start = offset
        while isDigit() { offset += 1 }
        guard (1...5).contains(offset - start), let srid = Int(source.string(start..<offset)) else {
            throw invalid("a number of up to five digits", at: start)
        }
        try expect(";")
        return srid
    }

    private mutating func takeGeoWord(_ word: String) -> Bool {
        let stop = identifierEnd(from: offset)
        guard source.string(offset..<stop).lowercased() == word else { return false }
        offset = stop
        return true
    }

    /// `geoLiteral`
    package mutating func geoShape() throws(QueryError) -> GeoShape {
        try enter()
        defer { leave() }
        skipGeoSpace()
        let start = offset
        offset = identifierEnd(from: start)
        switch source.string(start..<offset).lowercased() {
        case "point": return .point(try pointData())
        case "linestring": return .lineString(try lineStringData())
        case "polygon": return .polygon(try polygonData())
        case "multipoint":
            return .multiPoint(try geoList(isOptional: true) { parser throws(QueryError) in try parser.pointInList() })
        case "multilinestring":
            return .multiLineString(
                try geoList(isOptional: true) { parser throws(QueryError) in try parser.lineStringData() })
        case "multipolygon":
            return .multiPolygon(
                try geoList(isOptional: true) { parser throws(QueryError) in try parser.polygonData() })
        case "geometrycollection",
            "collection" where !dialect.isStrict:
            return .collection(try geoList { parser throws(QueryError) in try parser.geoShape() })
        default:
            offset = start
            throw unexpected(
                "Point, LineString, Polygon, MultiPoint, MultiLineString, MultiPolygon or GeometryCollection")
        }
    }

    /// Items in parentheses.
    private mutating func geoList<Item>(
        isOptional: Bool = false, _ item: (inout SyntaxParser) throws(QueryError) -> Item
    ) throws(QueryError) -> [Item] {
        skipGeoSpace()
        try expect("(")
        var items: [Item] = []
        if isOptional, consume(")") { return items }
        repeat {
            try tally()
            items.append(try item(&self))
            skipGeoSpace()
        } while consume(",")
        try expect(")", "',' or ')'")
        return items
    }

    /// Others write `POINT (1 2)` and `( 1 2, 3 4 )`.
    private mutating func skipGeoSpace() {
        while !dialect.isStrict, isNext(" ") { offset += 1 }
    }

    /// Others leave the parentheses of a point of a `MultiPoint` out.
    private mutating func pointInList() throws(QueryError) -> GeoShape.Position {
        skipGeoSpace()
        return dialect.isStrict || isNext("(") ? try pointData() : try position()
    }

    package mutating func pointData() throws(QueryError) -> GeoShape.Position {
        skipGeoSpace()
        try expect("(")
        let position = try position()
        skipGeoSpace()
        try expect(")", "' ' or ')'")
        return position
    }

    package mutating func lineStringData() throws(QueryError) -> [GeoShape.Position] {
        let line = try geoList { parser throws(QueryError) in try parser.position() }
        guard line.count > 1 else {
            offset -= 1
            throw unexpected("',' and another position")
        }
        return line
    }

    package mutating func polygonData() throws(QueryError) -> [[GeoShape.Position]] {
        try geoList { parser throws(QueryError) in try parser.ringLiteral() }
    }

    package mutating func ringLiteral() throws(QueryError) -> [GeoShape.Position] {
        try geoList { parser throws(QueryError) in try parser.position() }
    }

    /// `positionLiteral`: two to four numbers.
    package mutating func position() throws(QueryError) -> GeoShape.Position {
        skipGeoSpace()
        var position = [try coordinate()]
        repeat {
            guard consume(" ") else { throw unexpected("' ' and a number") }
            skipGeoSpace()
            position.append(try coordinate())
        } while position.count < 4 && isNumberNext
        return position
    }

    /// Whether white space is next, and a number behind it.
    private var isNumberNext: Bool {
        guard isNext(" ") else { return false }
        var parser = self
        parser.skipGeoSpace()
        return !parser.isNext(",") && !parser.isNext(")")
    }

    /// `doubleValue`
    private mutating func coordinate() throws(QueryError) -> Double {
        let start = offset
        guard let end = decimalEnd(from: start), let value = Double(digits: source.string(start..<end)) else {
            throw unexpected("a number in the range of Edm.Double")
        }
        offset = end
        return value
    }

    /// The end of the `decimalValue` at `start`; nil if there is none.
    package func decimalEnd(from start: Int) -> Int? {
        var parser = self
        parser.offset = start
        if parser.isNext("+") || parser.isNext("-") { parser.offset += 1 }
        if parser.isInfinity(0) { return parser.offset + 3 }
        if parser.isNext("N"), parser.isNext("a", 1), parser.isNext("N", 2) { return parser.offset + 3 }
        guard parser.takeDigits() else { return nil }
        if parser.isNext("."), parser.isDigit(1) {
            parser.offset += 1
            _ = parser.takeDigits()
        }
        if parser.isNext("e") || parser.isNext("E") {
            let sign = parser.isNext("+", 1) || parser.isNext("-", 1) ? 1 : 0
            if parser.isDigit(1 + sign) {
                parser.offset += 1 + sign
                _ = parser.takeDigits()
            }
        }
        return parser.offset
    }

    private mutating func takeDigits() -> Bool {
        let start = offset
        while isDigit() { offset += 1 }
        return offset > start
    }
}
