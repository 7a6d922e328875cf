import Foundation
import ODataConformance
import Testing

/// The folder of a test run: one sample that is copied for each store, and the stores that reads share.
actor SampleFolder {
    @TaskLocal static var current: SampleFolder?

    private let path: String
    private var number = 0
    private var shared: [StoreKind: Task<ServedSample, any Error>] = [:]

    init() throws {
        path = NSTemporaryDirectory() + "conformance-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try ConformanceSample.create(at: path + "/sample.db")
    }

    /// A store with data of its own.
    func fresh(_ kind: StoreKind) async throws -> ServedSample {
        number += 1
        let folder = "\(path)/\(number)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path + "/sample.db", toPath: folder + "/sample.db")
        return try await kind.serve(folder + "/sample.db")
    }

    /// The store that all reads of a kind share.
    func shared(_ kind: StoreKind) async throws -> ServedSample {
        if let served = shared[kind] { return try await served.value }
        let task = Task { try await fresh(kind) }
        shared[kind] = task
        return try await task.value
    }

    func remove() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        for task in shared.values { try await task.value.stop() }
    }
}

/// Makes the folder before the tests of a suite and removes it afterwards.
struct WithSampleFolder: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = try SampleFolder()
        do {
            try await SampleFolder.$current.withValue(folder) { try await function() }
        } catch {
            try? await folder.remove()
            throw error
        }
        try await folder.remove()
    }
}
