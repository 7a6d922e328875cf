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

    /// The queries whose pages are among those of other traffic. Not those that each download asks for again: changes, by
    /// the same link where there are none, and queries with `$expand`, of which the service reports no changes.
    func queries(alsoIn other: Traffic) -> Set<Substring> {
        let pages = lines.filter { line in
            line.hasPrefix("GET") && !["/$value", "$metadata"].contains(where: line.hasSuffix)
                && !["?$deltatoken=", "$expand="].contains(where: line.contains)
        }
        return Set(pages.filter(other.lines.contains).map { $0.prefix { $0 != "?" } })
    }
}
