import Foundation
import ODataModel

/// Distances on the ellipsoid of WGS 84, in metres.
enum Ellipsoid {
    private static let major = 6_378_137.0
    private static let flattening = 1 / 298.257223563
    private static let minor = major * (1 - flattening)
    /// The radius of the sphere that replaces the ellipsoid for two opposite points.
    private static let meanRadius = 6_371_008.8

    /// The length of the shortest line between two points in degrees: T. Vincenty's inverse formula (1975).
    static func distance(_ from: GeoShape.Position, _ to: GeoShape.Position) -> Double {
        guard from[0] != to[0] || from[1] != to[1] else { return 0 }
        let first = atan((1 - flattening) * tan(from[1].radians))
        let second = atan((1 - flattening) * tan(to[1].radians))
        let difference = remainder(to[0] - from[0], 360).radians
        var lambda = difference
        for _ in 0..<200 {
            let arc = Arc(first, second, lambda)
            guard arc.sine > 0 else { return 0 }
            let c = flattening / 16 * arc.cosineSquare * (4 + flattening * (4 - 3 * arc.cosineSquare))
            let inner = arc.cosineOfMiddle + c * arc.cosine * (2 * arc.cosineOfMiddle * arc.cosineOfMiddle - 1)
            let next = difference + (1 - c) * flattening * arc.sineOfAzimuth * (arc.angle + c * arc.sine * inner)
            if abs(next - lambda) < 1e-12 { return length(of: arc) }
            lambda = next
        }
        return greatCircle(from, to)
    }

    /// An arc on the auxiliary sphere.
    private struct Arc {
        let sine, cosine, angle, sineOfAzimuth, cosineSquare, cosineOfMiddle: Double

        init(_ first: Double, _ second: Double, _ lambda: Double) {
            let across = cos(second) * sin(lambda)
            let along = cos(first) * sin(second) - sin(first) * cos(second) * cos(lambda)
            sine = (across * across + along * along).squareRoot()
            cosine = sin(first) * sin(second) + cos(first) * cos(second) * cos(lambda)
            angle = atan2(sine, cosine)
            sineOfAzimuth = sine == 0 ? 0 : cos(first) * cos(second) * sin(lambda) / sine
            cosineSquare = 1 - sineOfAzimuth * sineOfAzimuth
            // On the equator there is no middle.
            cosineOfMiddle = cosineSquare == 0 ? 0 : cosine - 2 * sin(first) * sin(second) / cosineSquare
        }
    }

    private static func length(of arc: Arc) -> Double {
        let square = arc.cosineSquare * (major * major - minor * minor) / (minor * minor)
        let a = 1 + square / 16384 * (4096 + square * (-768 + square * (320 - 175 * square)))
        let b = square / 1024 * (256 + square * (-128 + square * (74 - 47 * square)))
        let middle = arc.cosineOfMiddle
        let first = arc.cosine * (2 * middle * middle - 1)
        let second = b / 6 * middle * (4 * arc.sine * arc.sine - 3) * (4 * middle * middle - 3)
        return minor * a * (arc.angle - b * arc.sine * (middle + b / 4 * (first - second)))
    }

    private static func greatCircle(_ from: GeoShape.Position, _ to: GeoShape.Position) -> Double {
        let height = sin((to[1] - from[1]).radians / 2)
        let width = sin((to[0] - from[0]).radians / 2)
        let square = height * height + cos(from[1].radians) * cos(to[1].radians) * width * width
        return 2 * meanRadius * asin(min(1, square.squareRoot()))
    }
}

extension Double {
    var radians: Double { self * .pi / 180 }
    var degrees: Double { self * 180 / .pi }
}
