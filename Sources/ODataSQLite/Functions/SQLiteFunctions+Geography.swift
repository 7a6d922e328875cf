import GRDBSQLite
import ODataModel
import ODataQuery

extension SQLiteFunctions {
    /// [OData-URL, section 5.1.1.11]
    static let geography: [(String, CInt, Implementation)] = [
        ("odata_geodistance", 3, { SQLFunctionCall($0, $1, $2).geoDistance() }),
        ("odata_geolength", 2, { SQLFunctionCall($0, $1, $2).geoLength() }),
        ("odata_geointersects", 3, { SQLFunctionCall($0, $1, $2).geoIntersects() }),
        ("odata_geocast", 2, { SQLFunctionCall($0, $1, $2).geoCast() }),
        ("odata_wkt", 2, { SQLFunctionCall($0, $1, $2).wellKnownText() }),
    ]
}

extension SQLFunctionCall {
    private func shape(_ index: Int) -> GeoShape? { text(index).flatMap { GeoShape($0) } }

    private func measure(_ index: Int) -> GeoMeasure { text(index) == "plane" ? .plane : .ellipsoid }

    fileprivate func geoDistance() {
        guard case .point(let from) = shape(0), case .point(let to) = shape(1) else { return setResult(nil as Double?) }
        setResult(measure(2).distance(from, to))
    }

    fileprivate func geoLength() {
        switch shape(0) {
        case .lineString(let line): setResult(measure(1).length(line))
        case .multiLineString(let lines): setResult(lines.reduce(0) { $0 + measure(1).length($1) })
        default: setResult(nil as Double?)
        }
    }

    /// The point and the polygon may come in either order.
    fileprivate func geoIntersects() {
        switch (shape(0), shape(1)) {
        case (.point(let point), let area?), (let area?, .point(let point)):
            setResult(condition: Self.contains(area, point, measure(2)))
        default: setResult(nil as Int64?)
        }
    }

    private static func contains(_ area: GeoShape, _ point: GeoShape.Position, _ measure: GeoMeasure) -> Bool? {
        switch area {
        case .polygon(let rings): measure.contains(rings, point)
        case .multiPolygon(let polygons): polygons.contains { measure.contains($0, point) }
        default: nil
        }
    }

    /// A value if it is of the kind that a type requires.
    fileprivate func geoCast() {
        guard let shape = shape(0), let name = text(1) else { return setResult(nil as String?) }
        let kind = name.dropFirst(name.hasPrefix("Geography") ? 9 : 8)
        setResult(kind.isEmpty || kind == shape.name ? text(0) : nil)
    }

    /// `SRID=4326;Point(142.1 64.1)`
    fileprivate func wellKnownText() {
        guard let shape = shape(0) else { return setResult(nil as String?) }
        setResult("SRID=\(text(1) == "geometry" ? 0 : 4326);\(shape.wellKnownText)")
    }
}
