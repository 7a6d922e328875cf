import ODataConformance
import Testing

/// A kind of store and what it must do.
struct ConformanceRun: Sendable, CustomTestStringConvertible {
    let kind: StoreKind
    let check: ConformanceCheck

    var testDescription: String { "\(kind.rawValue): \(check.name)" }

    static func all(changingData: Bool) -> [ConformanceRun] {
        StoreKind.allCases.flatMap { kind in
            ConformanceSuite.checks(for: kind.capabilities)
                .filter { $0.changesData == changingData }
                .map { ConformanceRun(kind: kind, check: $0) }
        }
    }
}
