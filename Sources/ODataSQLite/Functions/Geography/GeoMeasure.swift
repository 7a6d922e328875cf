import Foundation
import ODataModel

/// Measures geometry in its plane, and geography on the Earth: distances on the ellipsoid of WGS 84, borders of polygons
/// along great circles.
enum GeoMeasure {
    case plane, ellipsoid

    func distance(_ from: GeoShape.Position, _ to: GeoShape.Position) -> Double {
        switch self {
        case .plane: hypot(to[0] - from[0], to[1] - from[1])
        case .ellipsoid: Ellipsoid.distance(from, to)
        }
    }

    func length(_ line: [GeoShape.Position]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
    }

    /// Whether a point is in a polygon or on its border. Holes are rings after the first one.
    func contains(_ rings: [[GeoShape.Position]], _ point: GeoShape.Position) -> Bool {
        var isInside = false
        for ring in rings {
            for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                switch crossing(from, to, point) {
                case .onBorder: return true
                case .above: isInside.toggle()
                case .none: break
                }
            }
        }
        return isInside
    }

    /// How an edge intersects the line from a point to the north.
    private enum Crossing { case onBorder, above, none }

    private static let tolerance = 1e-9

    private func crossing(
        _ from: GeoShape.Position, _ to: GeoShape.Position, _ point: GeoShape.Position
    ) -> Crossing {
        let first = offset(from, point)
        let second = offset(to, point)
        if abs(first) < Self.tolerance, abs(second) < Self.tolerance {
            let range = min(from[1], to[1]) - Self.tolerance...max(from[1], to[1]) + Self.tolerance
            return range.contains(point[1]) ? .onBorder : .none
        }
        if self == .ellipsoid, abs(second - first) > 180 { return .none }
        let height = self.height(first, from[1], second, to[1])
        if min(first, second) <= Self.tolerance, max(first, second) >= -Self.tolerance,
            abs(height - point[1]) < Self.tolerance
        {
            return .onBorder
        }
        return (first > 0) != (second > 0) && height > point[1] ? .above : .none
    }

    /// How far to the east of a point a position is; in degrees the short way round.
    private func offset(_ position: GeoShape.Position, _ point: GeoShape.Position) -> Double {
        let difference = position[0] - point[0]
        return self == .plane ? difference : remainder(difference, 360)
    }

    /// How far to the north an edge is where it passes the point.
    private func height(_ first: Double, _ low: Double, _ second: Double, _ high: Double) -> Double {
        switch self {
        case .plane: return low - first * (high - low) / (second - first)
        case .ellipsoid:
            let across = sin((second - first).radians)
            guard abs(across) > 1e-15 else { return low - first * (high - low) / (second - first) }
            let slope = tan(low.radians) * sin(second.radians) - tan(high.radians) * sin(first.radians)
            return atan(slope / across).degrees
        }
    }
}
