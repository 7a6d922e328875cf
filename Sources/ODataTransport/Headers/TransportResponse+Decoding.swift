import ByteStreams
import HTTPTypes
import Synchronization

extension TransportResponse {
    /// What transports ask for.
    package static let acceptedEncodings = "gzip, deflate"

    /// The response with its body decoded, and without the headers that say that it is compressed. A part
    /// of a compressed representation stays as it is, and so does what is in another encoding.
    ///
    /// [RFC 9110, section 8.4.1]
    ///
    /// - Parameter limit: The most bytes that are decoded: beyond, reading the body throws ``TransportError`` with code
    ///   `encoding`, as it does where they cannot be decoded.
    package func decoded(limit: Int64) -> TransportResponse {
        guard let codings = head.headerFields.decodableCodings, head.status != .partialContent else {
            return self
        }
        var decoded = TransportResponse(head: head.decoded, body: body)
        decoded.mayHaveActedBefore = mayHaveActedBefore
        guard body.length != 0 else { return decoded }
        for coding in codings.reversed() {
            let decoding = DecodedBody(decoded.body, coding, limit: limit)
            decoded.body = ByteContent(ByteChunks { try await decoding.next() }, length: nil)
        }
        return decoded
    }
}

extension HTTPResponse {
    /// The same of a body that is not compressed any more, where it was in an encoding that is decoded.
    package var decoded: HTTPResponse {
        guard headerFields.decodableCodings != nil else { return self }
        var response = self
        // Digests are those of the compressed bytes. [RFC 9530, section 2]
        for name in [HTTPField.Name.contentEncoding, .contentLength, .reprDigest, .contentDigest, .digest, .contentMD5]
        {
            response.headerFields[name] = nil
        }
        return response
    }
}

extension HTTPFields {
    /// In the order in which they were applied; nil where there is none, or another one too.
    fileprivate var decodableCodings: [Inflater.Wrapping]? {
        let names = self[values: .contentEncoding].flatMap { $0.split(separator: ",") }
            .map { $0.lowercased().filter { !$0.isWhitespace } }.filter { !$0.isEmpty && $0 != "identity" }
        let codings = names.compactMap { name -> Inflater.Wrapping? in
            ["gzip", "x-gzip"].contains(name) ? .gzip : name == "deflate" ? .deflate : nil
        }
        return codings.isEmpty || codings.count != names.count ? nil : codings
    }
}

/// Decodes a body while it arrives.
private final class DecodedBody: Sendable {
    private struct State {
        var inflater: Inflater
        var decoded: Int64 = 0
        var source: ByteChunks.AsyncIterator?
    }

    private let body: ByteContent
    private let limit: Int64
    private let state: Mutex<State>

    init(_ body: ByteContent, _ wrapping: Inflater.Wrapping, limit: Int64) {
        (self.body, self.limit) = (body, limit)
        state = Mutex(State(inflater: Inflater(wrapping)))
    }

    func next() async throws -> [UInt8]? {
        while true {
            if let piece = try decode(nil) { return piece }
            guard let chunk = try await source().next() else {
                try finish()
                return nil
            }
            if let piece = try decode(chunk) { return piece }
        }
    }

    private func source() throws -> ByteChunks.AsyncIterator {
        try state.withLock { state in
            let source = try state.source ?? body.chunks().makeAsyncIterator()
            state.source = source
            return source
        }
    }

    private func decode(_ chunk: [UInt8]?) throws -> [UInt8]? {
        try state.withLock { state in
            if let chunk { state.inflater.add(chunk) }
            guard let piece = try Self.wrapping({ try state.inflater.next() }) else { return nil }
            state.decoded += Int64(piece.count)
            guard state.decoded <= limit else {
                throw TransportError(.encoding, "The response is longer than \(limit) bytes when it is decoded.")
            }
            return piece
        }
    }

    private func finish() throws { try state.withLock { state in try Self.wrapping { try state.inflater.finish() } } }

    private static func wrapping<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as InflateError {
            throw TransportError(.encoding, "The compressed response cannot be decoded: \(error)", cause: error)
        }
    }
}
