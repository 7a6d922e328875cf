/// Checks geography and geometry values.
///
/// [RFC 7946, section 3; OData-JSON, section 7.1]
package enum GeoJSON {
    /// Whether `node` is a value of `type`: of the right kind, with positions of two numbers or more.
    ///
    /// - Parameter isStrict: Whether lines must have two positions and rings of polygons be closed.
    package static func isValue(_ node: JSONNode, of type: EdmPrimitiveType, isStrict: Bool = false) -> Bool {
        guard let shape = GeoShape(node) else { return false }
        // `Point` for `GeographyPoint`; nothing for the abstract types.
        let wanted = type.rawValue.dropFirst(type.rawValue.hasPrefix("Geography") ? 9 : 8)
        return (wanted.isEmpty || wanted == shape.name) && (!isStrict || isComplete(shape))
    }

    /// Whether GeoJSON text is a whole value of `type`.
    static func isValue(_ text: String, of type: EdmPrimitiveType) -> Bool {
        guard let node = try? JSONParser.parse(Array(text.utf8)[...]) else { return false }
        return isValue(node, of: type, isStrict: true)
    }

    private static func isComplete(_ shape: GeoShape) -> Bool {
        switch shape {
        case .point, .multiPoint: true
        case .lineString(let line): line.count >= 2
        case .multiLineString(let lines): lines.allSatisfy { $0.count >= 2 }
        case .polygon(let rings): rings.allSatisfy(isRing)
        case .multiPolygon(let polygons): polygons.joined().allSatisfy(isRing)
        case .collection(let shapes): shapes.allSatisfy(isComplete)
        }
    }

    private static func isRing(_ line: [GeoShape.Position]) -> Bool { line.count >= 4 && line.first == line.last }

    /// The geography type of GeoJSON text, which does not distinguish geometry.
    static func type(of text: String) -> EdmPrimitiveType? {
        guard let node = try? JSONParser.parse(Array(text.utf8)[...]), let name = node["type"]?.string else {
            return nil
        }
        return EdmPrimitiveType(rawValue: name == "GeometryCollection" ? "GeographyCollection" : "Geography\(name)")
    }
}
