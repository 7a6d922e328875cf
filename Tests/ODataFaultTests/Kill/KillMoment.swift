import ODataTesting

/// Where in the traffic of a run its process is killed.
enum KillMoment: Hashable, Sendable {
    /// Request number … arrives, from 0; the service never sees it.
    case request(Int)
    /// The service has acted upon request number …; its response never leaves.
    case acted(Int)
    /// After so many bytes of the bodies of responses.
    case responseBytes(Int)
    /// After so many bytes of the bodies of requests.
    case requestBytes(Int)

    /// Draws a moment from a run with this much traffic.
    init(_ traffic: Traffic, using random: inout SplitMix, sending: Bool) {
        switch random.number(below: sending ? 4 : 3) {
        case 0: self = .request(random.number(below: traffic.requests))
        case 1 where sending: self = .acted(random.number(below: traffic.requests))
        case 2 where sending: self = .requestBytes(random.number(below: traffic.requestBytes))
        default: self = .responseBytes(random.number(below: traffic.responseBytes))
        }
    }
}

/// What has gone over the wire.
struct Traffic: Hashable, Sendable {
    /// `GET /Photos(9000)/$value`
    var lines: [String] = []
    var requestBytes = 0
    var responseBytes = 0

    var requests: Int { lines.count }

    var changes: [String] { lines.filter { !$0.hasPrefix("GET") } }
    var streams: [String] { lines.filter { $0.hasPrefix("GET") && $0.hasSuffix("/$value") } }

    /// The pages of the query that was read last, without the last two: one is asked for while the one before is
    /// written. None where streams were read after them.
    var finishedPages: [String] {
        guard let last = lines.last, last.hasPrefix("GET"), streams.isEmpty, !last.hasSuffix("$metadata") else {
            return []
        }
        let name = last.prefix { $0 != "?" }
        return lines.filter { $0.prefix { $0 != "?" } == name }.dropLast(2)
    }
}
