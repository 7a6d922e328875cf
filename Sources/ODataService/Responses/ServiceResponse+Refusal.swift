import ByteStreams
import HTTPTypes
import ODataTransport

extension ServiceResponse {
    /// An OData error for a request that is refused before it reaches a service.
    package static func refusal(_ status: HTTPResponse.Status, _ message: String) -> ServiceResponse {
        refusalBytes(status, message).response
    }

    /// The same, with the bytes of its body.
    package static func refusalBytes(
        _ status: HTTPResponse.Status, _ message: String
    ) -> (response: ServiceResponse, bytes: [UInt8]) {
        let failure = ServiceFailure(status, message)
        var refused = failure.response
        refused.head.headerFields[.xContentTypeOptions] = "nosniff"
        refused.head.headerFields[.oDataVersion] = ProtocolVersion.v401.rawValue
        refused.head.headerFields[.contentLength] = "\(failure.bytes.count)"
        return (refused, failure.bytes)
    }
}
