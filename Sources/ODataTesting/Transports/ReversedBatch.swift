import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport

/// `{"responses":[{"id":"2",…},{"id":"1",…}]}`
enum ReversedBatch {
    /// - Returns: The response, and whether its responses have another order now.
    static func of(_ response: TransportResponse) async throws -> (TransportResponse, Bool) {
        guard response.head.headerFields[.contentType]?.hasPrefix("application/json") == true else {
            return (response, false)
        }
        let bytes = try await response.body.collect(upTo: LateRequests.limit)
        let reversed = reversed(bytes)
        var changed = response
        changed.body = ByteContent(reversed ?? bytes)
        if changed.head.headerFields[.contentLength] != nil {
            changed.head.headerFields[.contentLength] = changed.body.length.map { "\($0)" }
        }
        return (changed, reversed != nil)
    }

    private static func reversed(_ bytes: [UInt8]) -> [UInt8]? {
        guard var response = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let responses = response["responses"] as? [Any], responses.count > 1
        else { return nil }
        response["responses"] = Array(responses.reversed())
        return (try? JSONSerialization.data(withJSONObject: response, options: .sortedKeys)).map { Array($0) }
    }
}
