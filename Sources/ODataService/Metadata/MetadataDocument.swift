import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization

/// A document that says what the service has, as it is sent: the same for all clients that ask in the same way.
final class MetadataDocument: Sendable {
    private static let vary = "Accept, Accept-Encoding, OData-MaxVersion, Prefer"

    /// `W/"5f0c…"`: it changes when the document does, and holds for its compressed form too.
    private let etag: String
    private let bytes: [UInt8]
    private let plain: ServiceResponse
    private let compressed = Mutex<ServiceResponse?>(nil)

    /// - Parameter version: That of the responses with the document.
    init(_ bytes: [UInt8], contentType: String, version: ProtocolVersion) {
        self.bytes = bytes
        etag = "W/\"\(String(Self.fingerprint(bytes), radix: 16))\""
        var response = ServiceResponse(
            .ok, headers: [.eTag: etag, .vary: Self.vary], contentType: contentType, body: ByteContent(bytes))
        response.addCommonFields(to: .get, version: version)
        plain = response
    }

    /// `200`, compressed where the client takes it so; `304` to a client that has the document.
    func response(to call: ServiceCall) -> ServiceResponse {
        if ETag.matches(call.headers[.ifNoneMatch], etag) {
            return ServiceResponse(.notModified, headers: [.eTag: etag, .vary: Self.vary])
        }
        // In a batch, the whole is what could be compressed.
        return call.request.batch == nil && AcceptedEncodings.prefersGzip(call.headers) ? gzip : plain
    }

    /// As ``response(to:)``; nil where the compressed form is yet to be made.
    func immediateResponse(to call: ServiceCall) -> ServiceResponse? {
        guard AcceptedEncodings.prefersGzip(call.headers) else { return response(to: call) }
        return compressed.withLockIfAvailable { $0 != nil } == true ? response(to: call) : nil
    }

    /// The compressed form, or the document itself where that is not longer.
    private var gzip: ServiceResponse {
        compressed.withLock { compressed in
            if let compressed { return compressed }
            var made = plain
            if let bytes = Gzip.compressed(bytes), bytes.count < self.bytes.count {
                made.body = ByteContent(bytes)
                made.head.headerFields[.contentEncoding] = "gzip"
                made.head.headerFields[.contentLength] = "\(bytes.count)"
            }
            compressed = made
            return made
        }
    }

    /// FNV-1a over 64 bits: the same for the same bytes in every process.
    static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

/// What `Accept-Encoding` says.
///
/// [RFC 9110, section 12.5.3]
enum AcceptedEncodings {
    /// Whether the client takes gzip, and likes it no less than no encoding at all.
    static func prefersGzip(_ headers: HTTPFields) -> Bool {
        guard let accepted = headers[.acceptEncoding] else { return false }
        let ranges = HeaderElement.list(accepted).map(AcceptRange.init)
        func weight(_ names: String...) -> Double? {
            ranges.first { names.contains($0.element.value.lowercased()) }?.weight
        }
        let any = weight("*")
        guard let gzip = weight("gzip", "x-gzip") ?? any, gzip > 0 else { return false }
        return gzip >= weight("identity") ?? 0
    }
}
