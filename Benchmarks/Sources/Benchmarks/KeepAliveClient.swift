import ArgumentParser
import Foundation

/// One connection to a server, on which requests are sent one after the other: it costs little beside the server.
final class KeepAliveClient {
    struct Response {
        var status: Int
        var body: [UInt8]
    }

    private let authority: String
    private let path: String
    private let descriptor: Int32
    private var received: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: 1 << 18)

    /// - Parameter root: `http://127.0.0.1:8080/`: an address, or `localhost`.
    init(root: String) throws {
        guard let url = URLComponents(string: root), let host = url.host, let port = url.port else {
            throw ValidationError("\(root) is not a URL with a host and a port.")
        }
        authority = "\(host):\(port)"
        path = url.path.isEmpty ? "/" : url.path
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &address.sin_addr)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw ValidationError("There is no server at \(root).") }
    }

    deinit { close(descriptor) }

    /// - Parameter url: Relative to the root, with `%20` for blanks.
    func request(_ url: String) -> [UInt8] {
        Array("GET \(path)\(url) HTTP/1.1\r\nHost: \(authority)\r\nAccept: */*\r\n\r\n".utf8)
    }

    /// Sends `request` and reads the response to its end.
    func response(to request: [UInt8]) throws -> Response {
        received.removeAll(keepingCapacity: true)
        try send(request)
        while true {
            try receive()
            if let response = complete() { return response }
        }
    }

    private func send(_ request: [UInt8]) throws {
        var sent = 0
        while sent < request.count {
            let count = request.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
            }
            guard count > 0 else { throw ValidationError("The server has closed the connection.") }
            sent += count
        }
    }

    private func receive() throws {
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { throw ValidationError("The server has closed the connection.") }
        received += chunk[..<count]
    }

    /// Nil where something is missing.
    private func complete() -> Response? {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: received[..<end.lowerBound], as: UTF8.self).lowercased()
        let status = head.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
        let body = received[end.upperBound...]
        if let field = head.firstRange(of: "content-length: ") {
            let length = Int(head[field.upperBound...].prefix { $0.isNumber }) ?? 0
            return body.count < length ? nil : Response(status: status, body: Array(body))
        }
        return body.suffix(5).elementsEqual("0\r\n\r\n".utf8) ? Response(status: status, body: Array(body)) : nil
    }
}
