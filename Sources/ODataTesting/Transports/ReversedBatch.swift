import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport

/// `{"responses":[{"id":"2",…},{"id":"1",…}]}`
enum ReversedBatch {
    /// - Returns: The response, and whether its responses have another order now.
    static func of(_ reply: TransportResponse) async throws -> (TransportResponse, Bool) {
        guard reply.response.headerFields[.contentType]?.hasPrefix("application/json") == true else {
            return (reply, false)
        }
        let bytes = try await reply.body.collect(upTo: LateRequests.limit)
        let reversed = reversed(bytes)
        var changed = reply
        changed.body = ByteContent(reversed ?? bytes)
        if changed.response.headerFields[.contentLength] != nil {
            changed.response.headerFields[.contentLength] = changed.body.length.map { "\($0)" }
        }
        return (changed, reversed != nil)
    }

    private static func reversed(_ bytes: [UInt8]) -> [UInt8]? {
        guard var answer = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let responses = answer["responses"] as? [Any], responses.count > 1
        else { return nil }
        answer["responses"] = Array(responses.reversed())
        return (try? JSONSerialization.data(withJSONObject: answer, options: .sortedKeys)).map { Array($0) }
    }
}
