/// A geography or geometry literal: `geography'SRID=4326;Point(142.1 64.1)'`
///
/// [OData-ABNF, `fullPointLiteral` and the rules around it]
package struct GeoLiteral: Equatable {
    package typealias Position = [Double]

    package indirect enum Shape: Equatable {
        case point(Position)
        case lineString([Position])
        case polygon([[Position]])
        case multiPoint([Position])
        case multiLineString([[Position]])
        case multiPolygon([[[Position]]])
        case collection([Shape])
    }

    package var isGeography: Bool
    package var srid: Int
    package var shape: Shape

    package init(isGeography: Bool, srid: Int, shape: Shape) {
        self.isGeography = isGeography
        self.srid = srid
        self.shape = shape
    }
}
