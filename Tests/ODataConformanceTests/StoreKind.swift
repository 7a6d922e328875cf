import Foundation
import ODataConformance
import ODataSQLite
import ODataStores
import Testing

/// A store of the package that the suite runs on.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite = "SQLite"

    var capabilities: Set<ConformanceCapability> {
        switch self {
        case .sqlite: [.madeKeys, .defaults, .constraints, .paging, .deltaLinks]
        }
    }

    /// Serves the database at `path`.
    func serve(_ path: String) async throws -> ServedSample {
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: ConformanceSample.mediaSet, column: ConformanceSample.mediaColumn)]
        configuration.tracksChanges = true
        let store = try SQLiteStore(path: path, configuration: configuration)
        switch self {
        case .sqlite: return ServedSample(store: store) { try store.close() }
        }
    }
}

/// A store over its own copy of the sample.
struct ServedSample: Sendable {
    let store: any ODataStore
    let stop: @Sendable () async throws -> Void

    init(store: any ODataStore, stop: @escaping @Sendable () async throws -> Void) {
        self.store = store
        self.stop = stop
    }
}

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
