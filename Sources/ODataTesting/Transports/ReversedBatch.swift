import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport

/// `{"responses":[{"id":"2",…},{"id":"1",…}]}`
enum ReversedBatch {
    static func of(_ reply: HTTPReply) async throws -> HTTPReply {
        guard reply.response.headerFields[.contentType]?.hasPrefix("application/json") == true else { return reply }
        let bytes = try await reply.body.collect(upTo: LateRequests.limit)
        var changed = reply
        changed.body = ByteContent(reversed(bytes) ?? bytes)
        if changed.response.headerFields[.contentLength] != nil {
            changed.response.headerFields[.contentLength] = changed.body.length.map { "\($0)" }
        }
        return changed
    }

    private static func reversed(_ bytes: [UInt8]) -> [UInt8]? {
        guard var answer = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let responses = answer["responses"] as? [Any]
        else { return nil }
        answer["responses"] = Array(responses.reversed())
        return (try? JSONSerialization.data(withJSONObject: answer)).map { Array($0) }
    }
}
