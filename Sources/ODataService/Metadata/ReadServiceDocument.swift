/// `GET /`
///
/// [OData-Protocol, section 11.1.1]
struct ReadServiceDocument: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        call.metadata.serviceDocument(try call.format(), call.version, root: call.root.url).response(to: call)
    }
}
