import Foundation
import ODataFormats
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores
import Testing

/// The folder of a run: a service and a device that has downloaded all of it, and the copies for the changes.
actor TwinFolder {
    /// That of the suite that runs.
    @TaskLocal static var current: TwinFolder?

    nonisolated let model: EdmModel
    private nonisolated let sample: TwinSample
    private nonisolated let queries: [BoundQuery]
    private let path: String
    private let template: TwinStores
    private var number = 0
    /// Stores that are opened while a change is made in others.
    private var next: Task<TwinStores, any Error>?
    /// Stores in which the last change was refused.
    private var kept: TwinStores?

    fileprivate init(_ sample: TwinSample) async throws {
        self.sample = sample
        let memory = "/dev/shm"
        // Writes to a disk are waited for, those to memory are not.
        let root = FileManager.default.isWritableFile(atPath: memory) ? memory + "/" : NSTemporaryDirectory()
        path = root + "twins-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path + "/template", withIntermediateDirectories: true)
        template = try await TwinStores(in: path + "/template", sample)
        let model = try await template.service.model()
        self.model = model
        queries = try sample.queries.map { try QueryParser(model: model).query($0) }
        for query in sample.queries {
            try template.device.addQuery(DefiningQuery(name: query, query: query, retrievesStreams: true))
        }
        try await template.device.download()
        try template.close()
    }

    /// What shows the effect of a change.
    nonisolated func rows(for change: TwinChange) -> TwinRows {
        let shown = queries.filter { query in
            guard let set = query.path.rootSet?.name, sample.independent.contains(set) else { return true }
            return change.mayChange(set)
        }
        return TwinRows(model: model, queries: shown, readsStreams: change.changesStreams)
    }

    /// Stores that no change was made in.
    func stores() async throws -> TwinStores {
        if let kept {
            self.kept = nil
            return kept
        }
        let stores = try await (next ?? opened()).value
        next = opened()
        return stores
    }

    /// Stores in which a change was refused serve the next one.
    func keep(_ stores: TwinStores) { kept = stores }

    private func opened() -> Task<TwinStores, any Error> {
        number += 1
        return Task { [number, path, template, sample, model] in
            try template.copy(to: "\(path)/\(number)")
            return try await TwinStores(in: "\(path)/\(number)", sample, model)
        }
    }

    fileprivate func remove() async {
        try? kept?.close()
        try? await next?.value.close()
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Makes the folder before the tests of a suite and removes it afterwards.
struct WithTwinFolder: SuiteTrait, TestScoping {
    let sample: TwinSample

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void)
        async throws
    {
        let folder = try await TwinFolder(sample)
        do { try await TwinFolder.$current.withValue(folder) { try await function() } } catch {
            await folder.remove()
            throw error
        }
        await folder.remove()
    }
}
