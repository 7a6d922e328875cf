import ByteStreams
import HTTPTypes
import ODataTransport

/// Requests that are still on their way when their client has timed out.
actor LateRequests {
    /// The most bytes of a body that are held.
    static let limit = 64 * 1024 * 1024

    private var held: [(request: HTTPRequest, body: [UInt8]?, next: NextTransport)] = []

    func hold(_ request: HTTPRequest, body: [UInt8]?, _ next: NextTransport) { held.append((request, body, next)) }

    func deliver() async {
        let arriving = held
        held = []
        for (request, body, next) in arriving {
            let response = try? await next.send(request, body: body.map { ByteContent($0) })
            // No client gets the response of the service.
            _ = try? await response?.body.collect(upTo: Self.limit)
        }
    }
}
