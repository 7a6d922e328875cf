import ODataModel
import ODataQuery

/// A store for the handlers of operations that a service calls: what they read and change is for the service's request,
/// with its limits.
struct ScopedStore: ODataStore {
    let base: any ODataStore
    let scope: WorkScope

    var recognizesRepeatedRequests: Bool { base.recognizesRepeatedRequests }

    func recognizesRepeatedCalls(of action: EdmOperationDeclaration) -> Bool {
        base.recognizesRepeatedCalls(of: action)
    }

    func model() async throws -> EdmModel { try await base.model() }
    func currentModel() async throws -> EdmModel { try await base.currentModel() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        var request = request
        request.scope = scope
        return try await base.read(request)
    }

    func readStream(_ request: StreamRequest) async throws -> StreamResult {
        var request = request
        request.scope = scope
        return try await base.readStream(request)
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult { try await base.change(scoped(request)) }

    /// A stream takes the time that it needs: the limits of the request do not apply to it.
    func createMedia(
        _ content: MediaContent, in target: ResourcePath, slug: String?, properties: EntityPayload
    ) async throws -> ChangeResult {
        try await base.createMedia(content, in: target, slug: slug, properties: properties)
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        try await base.changeSet(requests.map(scoped))
    }

    func batch(_ changeSets: [[ChangeRequest]]) async -> [Result<[ChangeResult], ODataError>] {
        await base.batch(changeSets.map { $0.map(scoped) })
    }

    private func scoped(_ request: ChangeRequest) -> ChangeRequest {
        var request = request
        request.scope = scope
        return request
    }
}
