import ByteStreams
import Crypto
import HTTPTypes
import ODataTransport

/// The digests of streams in headers: `Repr-Digest: sha-256=:AAAA…=:`.
///
/// [RFC 9530]
enum StreamDigests {
    /// False where `Want-Repr-Digest` refuses it: `sha-256=0`.
    static func wantsSHA256(_ header: String?) -> Bool {
        !members(header).contains { $0.name == "sha-256" && $0.value == "0" }
    }

    /// The body of a request, the end of which is given only if the bytes have the digests in `Content-Digest` and
    /// `Repr-Digest`; these are the same for a body that is not encoded. Other algorithms than SHA-256 and SHA-512 are
    /// ignored.
    static func checked(_ body: ByteContent, _ headers: HTTPFields) -> ByteContent {
        let expected = [HTTPField.Name.contentDigest, .reprDigest].flatMap { headers.digests($0) }
            .compactMap { ExpectedDigest($0.key, $0.value) }
        guard !expected.isEmpty else { return body }
        if let source = body.source as? any TakeableSource {
            return ByteContent(ExpectedSource(source: source, expected: expected))
        }
        let reader = CheckedBody(body, expected)
        return ByteContent(ByteChunks { try await reader.next() }, length: body.length)
    }

    /// `name=value, …`
    private static func members(_ header: String?) -> [(name: String, value: String)] {
        HeaderElement.list(header ?? "").compactMap { element in
            let sides = element.value.split(separator: "=", maxSplits: 1)
            return sides.count == 2 ? (String(sides[0]), String(sides[1])) : nil
        }
    }
}

private struct ExpectedDigest: Hashable {
    enum Algorithm: String {
        case sha256 = "sha-256"
        case sha512 = "sha-512"
    }

    let algorithm: Algorithm
    let digest: [UInt8]

    /// Nil for an algorithm that is not known.
    init?(_ name: String, _ digest: [UInt8]) {
        guard let algorithm = Algorithm(rawValue: name) else { return nil }
        (self.algorithm, self.digest) = (algorithm, digest)
    }
}

/// A complete file: its new owner compares its digest, and a reader from its start gets the error
/// at the end.
private struct ExpectedSource: TakeableSource {
    let source: any TakeableSource
    let expected: [ExpectedDigest]

    var length: Int64? { source.length }

    var digest: SourceDigest? {
        guard let first = expected.first, expected.allSatisfy({ $0 == first }) else { return nil }
        return SourceDigest(algorithm: first.algorithm.rawValue, bytes: first.digest)
    }

    var takeablePath: String? { digest?.algorithm == "sha-256" ? source.takeablePath : nil }

    func identity() throws -> SourceIdentity? { try source.identity() }

    func open(at offset: Int64) throws -> ByteChunks {
        guard offset == 0 else { return try source.open(at: offset) }
        let reader = CheckedBody(ByteContent(source), expected)
        return ByteChunks { try await reader.next() }
    }
}

/// Holds the last piece back until all are known to be right, so that no reader keeps a damaged stream.
private actor CheckedBody {
    private let body: ByteContent
    private let expected: [ExpectedDigest]
    private var chunks: ByteChunks.AsyncIterator?
    private var sha256 = SHA256()
    private var sha512 = SHA512()
    private var held: [UInt8]?
    private var isAtEnd = false

    init(_ body: ByteContent, _ expected: [ExpectedDigest]) {
        self.body = body
        self.expected = expected
    }

    func next() async throws -> [UInt8]? {
        guard !isAtEnd else { return nil }
        let chunks = try self.chunks ?? body.chunks().makeAsyncIterator()
        self.chunks = chunks
        while let chunk = try await chunks.next() {
            updateDigests(with: chunk)
            let before = held
            held = chunk
            if let before { return before }
        }
        isAtEnd = true
        try check()
        return held
    }

    private func updateDigests(with chunk: [UInt8]) {
        for algorithm in Set(expected.map(\.algorithm)) {
            chunk.withUnsafeBytes { bytes in
                switch algorithm {
                case .sha256: sha256.update(bufferPointer: bytes)
                case .sha512: sha512.update(bufferPointer: bytes)
                }
            }
        }
    }

    private func check() throws {
        for expected in expected {
            let found =
                switch expected.algorithm {
                case .sha256: Array(sha256.finalize())
                case .sha512: Array(sha512.finalize())
                }
            guard found == expected.digest else {
                let name = expected.algorithm.rawValue
                throw ByteStreamError(.changed, "It does not have the \(name) digest that was sent with it.")
            }
        }
    }
}
