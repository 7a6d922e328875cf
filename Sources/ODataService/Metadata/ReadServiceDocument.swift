import ODataStores

/// `GET /`
///
/// [OData-Protocol, section 11.1.1]
struct ReadServiceDocument: ImmediateHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        call.metadata.serviceDocument(try call.format(), call.version, root: call.root.url).response(to: call)
    }

    func immediateResponse(to call: ServiceCall, from store: any ImmediateStore) throws -> ServiceResponse? {
        let document = call.metadata.keptServiceDocument(try call.format(), call.version, root: call.root.url)
        guard let document, store.isCurrent(call.model) else { return nil }
        return document.immediateResponse(to: call)
    }
}
