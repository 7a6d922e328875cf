/// A geography or geometry literal: `geography'SRID=4326;Point(142.1 64.1)'`
///
/// [OData-ABNF, `fullPointLiteral` and the rules around it]
struct GeoLiteral: Equatable {
    typealias Position = [Double]

    indirect enum Shape: Equatable {
        case point(Position)
        case lineString([Position])
        case polygon([[Position]])
        case multiPoint([Position])
        case multiLineString([[Position]])
        case multiPolygon([[[Position]]])
        case collection([Shape])
    }

    var isGeography: Bool
    var srid: Int
    var shape: Shape
}
