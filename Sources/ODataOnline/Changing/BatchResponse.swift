import ByteStreams
import HTTPTypes
import ODataFormats
import ODataStores

/// The responses in the response to a batch.
struct BatchResponse: Sendable {
    let response: OnlineResponse
    let responses: [BatchItemResponse]
    /// False if the response broke off: ``responses`` are the complete parts.
    let isWhole: Bool

    /// - Throws: ``ODataError`` with an unknown outcome if the response is not a batch, or has no complete part.
    init(_ response: OnlineResponse, limit: Int) async throws {
        self.response = response
        try response.checkEncoding()
        let (bytes, cut) = await Self.collected(response.body, limit: limit)
        let type = response.head.headerFields[.contentType] ?? ""
        guard let format = BatchFormat(contentType: type) else {
            if let cut { throw Self.unreadable(cut, response) }
            throw response.unexpected(beginning: bytes)
        }
        do {
            responses = try Batch.readResponses(bytes, format: format)
            isWhole = true
        } catch {
            guard case .multipart(let boundary) = format, let whole = Self.wholeParts(of: bytes, boundary),
                let responses = try? Batch.readResponses(whole, format: format), !responses.isEmpty
            else { throw Self.unreadable(cut ?? error, response) }
            self.responses = responses
            isWhole = false
        }
    }

    /// A received body has the status of the response; without it the connection was lost.
    private static func unreadable(_ error: any Error, _ response: OnlineResponse) -> ODataError {
        var failure = ODataError(reading: error, of: response.request)
        if !failure.concernsAll { failure.status = response.status }
        return failure
    }

    /// The received body, and why it ended early.
    private static func collected(_ body: ByteContent, limit: Int) async -> (bytes: [UInt8], cut: (any Error)?) {
        var bytes: [UInt8] = []
        do {
            for try await chunk in try body.chunks() {
                guard bytes.count + chunk.count <= limit else {
                    return (bytes, ByteStreamError(.tooLong, "The response is longer than \(limit) bytes."))
                }
                bytes += chunk
            }
            return (bytes, nil)
        } catch {
            return (bytes, error)
        }
    }

    /// The parts before the last delimiter, closed; nil if there is none.
    private static func wholeParts(of bytes: [UInt8], _ boundary: String) -> [UInt8]? {
        let delimiter = Array("--\(boundary)".utf8)
        var end = bytes.count
        while let newline = bytes[..<end].lastIndex(of: 0x0A) {
            let line = bytes[..<newline]
            let start = line.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            if line[start...].filter({ $0 != 0x0D }).elementsEqual(delimiter) {
                return Array(bytes[..<start]) + delimiter + Array("--\r\n".utf8)
            }
            end = newline
        }
        return nil
    }
}
