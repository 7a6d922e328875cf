import ArgumentParser
import Foundation

/// A connection that sends one request after the other and reads no more of the responses than their status and length,
/// so that what is measured is the service.
final class HTTPConnection {
    private let descriptor: Int32
    private let host: String
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(_ root: URL) throws {
        guard let host = root.host, let port = root.port.flatMap(UInt16.init(exactly:)) else {
            throw ValidationError("\(root) has no port.")
        }
        self.host = "\(host):\(port)"
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw ValidationError("\(root) cannot be reached.") }
    }

    deinit { close(descriptor) }

    /// - Throws: If the response is another one than success.
    func send(_ method: String, _ path: String, _ body: String = "") throws {
        let type = body.isEmpty ? "" : "Content-Type: application/json\r\n"
        let request = """
            \(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nPrefer: return=minimal\r\n\(type)\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        let bytes = Array(request.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw ValidationError("No connection.") }
        let head = try readHead()
        guard head.hasPrefix("HTTP/1.1 2") else { throw ValidationError("\(method) \(path): \(head)") }
    }

    private func readHead() throws -> String {
        var received: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw ValidationError("The service has closed the connection.") }
            received += buffer[..<count]
            guard let place = received.firstRange(of: end) else { continue }
            let head = String(decoding: received[..<place.lowerBound], as: UTF8.self)
            let field = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
            if received.count >= place.upperBound + length { return head }
        }
    }
}
