import Foundation
import OData
import ODataConformance

/// A store of somebody's own, for the article on testing: it serves the sample of the conformance suite.
final class ConformanceSite: Sendable {
    let store: SQLiteStore
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/conformance-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try ConformanceSample.create(at: folder + "/sample.db")
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: ConformanceSample.mediaSet, column: ConformanceSample.mediaColumn)]
        store = try SQLiteStore(path: folder + "/sample.db", configuration: configuration)
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
