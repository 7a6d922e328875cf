import HTTPTypes
import ODataService
import Synchronization

/// What a server publishes, and where.
struct Endpoint: Sendable {
    let service: any HTTPResponder
    /// The address that it listens at.
    let host: String
    let port: Int
    /// `http` or `https`
    let scheme: String
    let allowedHosts: AllowedHosts

    /// `127.0.0.1:8080`, `[::1]:8080`
    func authority(port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The service roots that the requests of a connection name with `Host`: nearly always one.
final class Authorities: Sendable {
    /// What a value of `Host` leads to.
    enum Target: Sendable {
        /// The URL of the service root, with a trailing slash.
        case root(String)
        case refused(HTTPResponse.Status, String)
    }

    private let endpoint: Endpoint
    private let port: Int
    private let last = Mutex<(host: String, target: Target)?>(nil)

    /// - Parameter port: That of the connection.
    init(_ endpoint: Endpoint, port: Int?) {
        self.endpoint = endpoint
        self.port = port ?? endpoint.port
    }

    func target(_ host: String?) -> Target {
        guard let host else { return Self.faulty }
        if let last = last.withLock({ $0 }), last.host == host { return last.target }
        let target = found(host)
        last.withLock { $0 = (host, target) }
        return target
    }

    private func found(_ host: String) -> Target {
        guard host.isEmpty || Authority.isValid(host) else { return Self.faulty }
        guard endpoint.allowedHosts.allows(host) else {
            return .refused(.misdirectedRequest, "This server is not \(host).")
        }
        // A request of HTTP/1.0 need not name a host.
        return .root("\(endpoint.scheme)://\(host.isEmpty ? endpoint.authority(port: port) : host)/")
    }

    private static let faulty = Target.refused(
        .badRequest, "The request must have one Host header, with a host and a port.")
}
