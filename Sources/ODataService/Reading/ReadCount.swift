import ByteStreams
import ODataModel
import ODataStores

/// `GET Products/$count?$filter=…`: the number alone, as text.
///
/// [OData-Protocol, section 11.2.10]
struct ReadCount: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let result = try await call.store.read(call.readRequest(try call.query()))
        guard case .count(let count) = result.body else {
            throw ODataError(.internalError, "The store gave no count.")
        }
        return Self.response(count)
    }

    static func response(_ count: Int64) -> ServiceResponse {
        ServiceResponse(.ok, contentType: "text/plain", body: ByteContent(Array("\(count)".utf8)))
    }
}
