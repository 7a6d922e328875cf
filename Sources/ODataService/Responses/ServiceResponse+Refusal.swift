import ByteStreams
import HTTPTypes
import ODataTransport

extension ServiceResponse {
    /// An OData error for a request that is refused before it comes to a service.
    package static func refusal(_ status: HTTPResponse.Status, _ message: String) -> ServiceResponse {
        var refused = ServiceFailure(status, message).response
        refused.response.headerFields[.oDataVersion] = ProtocolVersion.v401.rawValue
        refused.response.headerFields[.contentLength] = refused.body.length.map { "\($0)" }
        return refused
    }
}
