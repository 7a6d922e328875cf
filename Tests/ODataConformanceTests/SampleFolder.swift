import Foundation
import ODataConformance
import Testing

/// The folder of a test run: samples, each made once and copied for each store, and the stores that reads share.
actor SampleFolder {
    @TaskLocal static var current: SampleFolder?

    private let path: String
    private var number = 0
    private var templates: [StoreKind: Task<String, any Error>] = [:]
    private var shared: [StoreKind: Task<ServedSample, any Error>] = [:]

    init() throws {
        path = NSTemporaryDirectory() + "conformance-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path + "/sample", withIntermediateDirectories: true)
        try ConformanceSample.create(at: path + "/sample/sample.db")
    }

    /// A store with data of its own.
    func fresh(_ kind: StoreKind) async throws -> ServedSample {
        number += 1
        let folder = "\(path)/\(number)"
        try FileManager.default.copyItem(atPath: try await template(kind), toPath: folder)
        return try await kind.serve(folder + "/sample.db")
    }

    /// The folder that stores of a kind begin with.
    private func template(_ kind: StoreKind) async throws -> String {
        if let template = templates[kind] { return try await template.value }
        let task = Task { [path] in
            guard kind.isOffline else { return path + "/sample" }
            let folder = "\(path)/\(kind)"
            try FileManager.default.copyItem(atPath: path + "/sample", toPath: folder)
            try await kind.prepare(folder + "/sample.db")
            return folder
        }
        templates[kind] = task
        return try await task.value
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
