import ODataModel

/// The literal of a geography or geometry value: `geography'SRID=4326;Point(142.1 64.1)'`
///
/// [OData-ABNF, `geographyPoint` and the rules around it]
struct GeoText {
    private let root: JSONNode
    private let srid: String?

    /// - Parameter json: GeoJSON.
    init?(json: String) {
        guard let root = try? JSONParser.parse(Array(json.utf8)[...]) else { return nil }
        self.root = root
        srid = root["crs"]?["properties"]?["name"]?.string.flatMap {
            $0.hasPrefix("EPSG:") ? String($0.dropFirst(5)) : nil
        }
    }

    func literal(isGeography: Bool) -> String? {
        fullText(isGeography: isGeography).map { (isGeography ? "geography" : "geometry") + "'\($0)'" }
    }

    /// `SRID=4326;Point(142.1 64.1)`
    func fullText(isGeography: Bool) -> String? {
        Self.shape(root).map { "SRID=\(srid ?? (isGeography ? "4326" : "0"));\($0)" }
    }

    private static func shape(_ node: JSONNode) -> String? {
        guard let type = node["type"]?.string else { return nil }
        if type == "GeometryCollection" {
            guard let shapes = node["geometries"]?.elements?.map({ shape($0) }) else { return nil }
            let texts = shapes.compactMap(\.self)
            return texts.count == shapes.count ? "Collection(" + texts.joined(separator: ",") + ")" : nil
        }
        guard let coordinates = node["coordinates"] else { return nil }
        if type == "MultiPoint" {
            guard let points = coordinates.elements?.map({ text($0) }) else { return nil }
            let texts = points.compactMap { point in point.map { "(\($0))" } }
            return texts.count == points.count ? "MultiPoint(" + texts.joined(separator: ",") + ")" : nil
        }
        let isPosition = coordinates.elements?.first?.elements == nil
        return text(coordinates).map { type + (isPosition ? "(\($0))" : $0) }
    }

    /// `142.1 64.1`, `(1 2,3 4)`, `((1 2,3 4))`
    private static func text(_ node: JSONNode) -> String? {
        guard let elements = node.elements else { return nil }
        if elements.first?.elements == nil {
            let numbers = elements.compactMap { node in
                if case .number(let digits) = node.content { digits } else { nil }
            }
            return numbers.count == elements.count ? numbers.joined(separator: " ") : nil
        }
        let texts = elements.compactMap { text($0) }
        return texts.count == elements.count ? "(" + texts.joined(separator: ",") + ")" : nil
    }
}
