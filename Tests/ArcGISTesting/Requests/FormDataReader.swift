import ByteStreams
import Foundation

/// Reads the parts of a multipart body one after another, while it arrives.
///
/// [RFC 2046, section 5.1; RFC 7578]
struct FormDataReader {
    private let delimiter: [UInt8]
    private let chunks: ByteChunks.AsyncIterator
    private var buffer: [UInt8]
    private var isInPart = true

    private static let headerLimit = 16_384

    init(_ chunks: ByteChunks, boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.chunks = chunks.makeAsyncIterator()
        // The first delimiter may be the first of all bytes. What stands before it belongs to no part.
        buffer = Array("\r\n".utf8)
    }

    /// Passes over what is left of the part before, and over what follows the last part.
    ///
    /// - Returns: The part's headers by their names in lower case; nil after the last part.
    mutating func nextPart() async throws -> [String: String]? {
        while isInPart { _ = try await nextBytes() }
        let line = try await line()
        if line.hasPrefix("--") {
            while try await chunks.next() != nil {}
            return nil
        }
        var headers: [String: String] = [:]
        while true {
            let line = try await self.line()
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: ":") else { throw RestError.invalid("A part has no proper headers.") }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[line[..<colon].lowercased()] = value
        }
        isInPart = true
        return headers
    }

    /// The next bytes of the part; nil at its end.
    mutating func nextBytes() async throws -> [UInt8]? {
        guard isInPart else { return nil }
        while true {
            if let end = position(of: delimiter) {
                if end > 0 { return take(end) }
                buffer.removeFirst(delimiter.count)
                isInPart = false
                return nil
            }
            // The last bytes may be the start of the delimiter.
            if buffer.count > delimiter.count { return take(buffer.count - delimiter.count) }
            try await fill()
        }
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    /// A line of the headers, or what follows a delimiter, without its end.
    private mutating func line() async throws -> String {
        while true {
            if let end = position(of: [0x0D, 0x0A]) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 2)
                return line
            }
            // Nothing needs to follow the last delimiter.
            if buffer.starts(with: Array("--".utf8)) { return "--" }
            guard buffer.count < Self.headerLimit else { throw RestError.invalid("A part's headers are too long.") }
            try await fill()
        }
    }

    private mutating func fill() async throws {
        guard let chunk = try await chunks.next() else { throw RestError.invalid("The multipart body has no end.") }
        buffer += chunk
    }

    private func position(of pattern: [UInt8]) -> Int? {
        buffer.withUnsafeBytes { bytes in
            var start = 0
            while start + pattern.count <= bytes.count {
                guard let base = bytes.baseAddress,
                    let found = memchr(base + start, Int32(pattern[0]), bytes.count - start)
                else { return nil }
                let position = UnsafeRawPointer(found) - base
                guard position + pattern.count <= bytes.count else { return nil }
                if bytes[position..<position + pattern.count].elementsEqual(pattern) { return position }
                start = position + 1
            }
            return nil
        }
    }
}
