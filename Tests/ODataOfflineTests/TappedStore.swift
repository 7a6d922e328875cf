import ODataModel
import ODataQuery
import ODataStores

/// Passes everything on to a store, after a test has seen it: what the hooks throw is the response.
struct TappedStore: ODataStore {
    let base: any ODataStore
    var asking: @Sendable () async throws -> Void = {}
    var reading: @Sendable (ReadRequest) async throws -> Void = { _ in }
    /// Changes, and what becomes of them.
    var changing: @Sendable (ChangeRequest) async throws -> ChangeRequest = { $0 }
    var changed: @Sendable (ChangeResult) throws -> ChangeResult = { $0 }
    var streaming: @Sendable (StreamResult) throws -> StreamResult = { $0 }

    func model() async throws -> EdmModel {
        try await asking()
        return try await base.model()
    }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        try await reading(request)
        return try await base.read(request)
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        try changed(try await base.change(try await changing(request)))
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        var passed: [ChangeRequest] = []
        for request in requests { passed.append(try await changing(request)) }
        return try await base.changeSet(passed).map(changed)
    }

    func readStream(_ request: StreamRequest) async throws -> StreamResult {
        try streaming(try await base.readStream(request))
    }
}
