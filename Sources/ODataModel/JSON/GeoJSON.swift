/// Checks geography and geometry values.
///
/// [RFC 7946, section 3; OData-JSON, section 7.1]
package enum GeoJSON {
    /// How deep the arrays of positions are nested; nil for collections of geometries.
    private static func depth(of type: String) -> Int?? {
        switch type {
        case "Point": 0
        case "LineString", "MultiPoint": 1
        case "Polygon", "MultiLineString": 2
        case "MultiPolygon": 3
        case "GeometryCollection": .some(nil)
        default: nil
        }
    }

    /// Whether `node` is a value of `type`: of the right kind, with positions of two numbers or more.
    ///
    /// - Parameter isStrict: Whether lines must have two positions and rings of polygons be closed.
    package static func isValue(_ node: JSONNode, of type: EdmPrimitiveType, isStrict: Bool = false) -> Bool {
        guard let name = node["type"]?.string, let depth = depth(of: name) else { return false }
        if let wanted = Self.name(of: type), wanted != name { return false }
        guard let depth else {
            let family: EdmPrimitiveType = type.rawValue.hasPrefix("Geography") ? .geography : .geometry
            return node["geometries"]?.elements?.allSatisfy { isValue($0, of: family, isStrict: isStrict) } == true
        }
        guard let coordinates = node["coordinates"], hasPositions(coordinates, depth: depth) else { return false }
        return !isStrict || isComplete(coordinates, type: name)
    }

    private static func hasPositions(_ node: JSONNode, depth: Int) -> Bool {
        guard let elements = node.elements else { return false }
        if depth > 0 { return elements.allSatisfy { hasPositions($0, depth: depth - 1) } }
        return elements.count >= 2
            && elements.allSatisfy {
                if case .number(let digits) = $0.content { Double(digits: digits) != nil } else { false }
            }
    }

    private static func isComplete(_ node: JSONNode, type: String) -> Bool {
        let elements = node.elements ?? []
        switch type {
        case "LineString": return elements.count >= 2
        case "MultiLineString": return elements.allSatisfy { isComplete($0, type: "LineString") }
        case "Polygon": return elements.allSatisfy(isRing)
        case "MultiPolygon": return elements.allSatisfy { isComplete($0, type: "Polygon") }
        default: return true
        }
    }

    private static func isRing(_ node: JSONNode) -> Bool {
        guard let positions = node.elements, positions.count >= 4 else { return false }
        func numbers(_ node: JSONNode?) -> [String] {
            (node?.elements ?? []).map { if case .number(let digits) = $0.content { digits } else { "" } }
        }
        return numbers(positions.first) == numbers(positions.last)
    }

    /// `Point` for `GeographyPoint`; nil for the abstract types.
    private static func name(of type: EdmPrimitiveType) -> String? {
        let name = type.rawValue.dropFirst(type.rawValue.hasPrefix("Geography") ? 9 : 8)
        return name.isEmpty ? nil : name == "Collection" ? "GeometryCollection" : String(name)
    }

    /// The geography type of GeoJSON text, which does not tell geometry apart.
    static func type(of text: String) -> EdmPrimitiveType? {
        guard let node = try? JSONParser.parse(Array(text.utf8)[...]), let name = node["type"]?.string else {
            return nil
        }
        return EdmPrimitiveType(rawValue: name == "GeometryCollection" ? "GeographyCollection" : "Geography\(name)")
    }
}
