import ODataMetadata

/// One request of a batch.
///
/// [OData-Protocol, section 11.7]
package struct BatchPart: Sendable {
    /// `Content-ID`, or `id` in JSON.
    package var id: String?
    package var method: String
    /// As written: absolute, an absolute path, or relative to the service root; `$1/Items` refers to an earlier part.
    package var url: String
    package var headers: [(String, String)]
    package var body: [UInt8]
    /// Requests of the same group are one change set.
    package var atomicityGroup: String?
    /// The ids of requests, and the names of groups, that must have succeeded before.
    package var dependsOn: [String]
    /// `if`: a condition on the results of earlier requests.
    package var condition: String?

    package init(
        id: String? = nil, method: String, url: String, headers: [(String, String)] = [], body: [UInt8] = [],
        atomicityGroup: String? = nil, dependsOn: [String] = [], condition: String? = nil
    ) {
        self.id = id
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.atomicityGroup = atomicityGroup
        self.dependsOn = dependsOn
        self.condition = condition
    }
}

/// The response to one request of a batch, or to a change set that failed.
package struct BatchItemResponse: Sendable {
    package var id: String?
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]
    package var atomicityGroup: String?

    package init(
        id: String? = nil, status: Int, headers: [(String, String)] = [], body: [UInt8] = [],
        atomicityGroup: String? = nil
    ) {
        self.id = id
        self.status = status
        self.headers = headers
        self.body = body
        self.atomicityGroup = atomicityGroup
    }
}

/// How a batch is written.
package enum BatchFormat: Hashable, Sendable {
    /// `multipart/mixed;boundary=…`: [OData-Protocol, section 11.7.7]
    case multipart(boundary: String)
    /// `application/json`: [OData-JSON, section 19]
    case json

    /// The format of a `Content-Type`; nil for other media types.
    package init?(contentType: String) {
        let type = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        switch type {
        case "application/json": self = .json
        case "multipart/mixed":
            guard let boundary = Self.boundary(in: contentType) else { return nil }
            self = .multipart(boundary: boundary)
        default: return nil
        }
    }

    /// `x` of `multipart/mixed; boundary="x"`.
    private static func boundary(in contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "boundary" else { continue }
            let value = pair[1].drop { $0 == " " }
            let text =
                value.hasPrefix("\"")
                ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != " " }
            return isBoundary(text) ? String(text) : nil
        }
        return nil
    }

    /// 1 to 70 characters, none of which needs more than quotes: [RFC 2046, section 5.1.1].
    private static func isBoundary(_ text: Substring) -> Bool {
        (1...70).contains(text.utf8.count) && text.last != " "
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
    }
}

/// Reads and writes batches.
package enum Batch {
    /// - Throws: ``FormatError`` with the byte where the batch is broken or passes a limit.
    package static func readRequests(
        _ bytes: [UInt8], format: BatchFormat, limits: PayloadLimits = .default
    ) throws(FormatError) -> [BatchPart] {
        switch format {
        case .json: try JSONBatchReader(bytes, limits: limits).requests()
        case .multipart(let boundary): try MultipartReader(bytes, limits: limits).requests(boundary: boundary)
        }
    }

    /// A change set that failed has one response, which in multipart has no group.
    ///
    /// - Throws: ``FormatError`` with the byte where the batch is broken or passes a limit.
    package static func readResponses(
        _ bytes: [UInt8], format: BatchFormat, limits: PayloadLimits = .default
    ) throws(FormatError) -> [BatchItemResponse] {
        switch format {
        case .json: try JSONBatchReader(bytes, limits: limits).responses()
        case .multipart(let boundary): try MultipartReader(bytes, limits: limits).responses(boundary: boundary)
        }
    }

    /// Requests of one group must stand together.
    package static func writeRequests(
        _ parts: [BatchPart], format: BatchFormat
    ) -> (contentType: String, bytes: [UInt8]) {
        switch format {
        case .json: ("application/json", JSONBatch.bytes(parts))
        case .multipart(let boundary): MultipartWriter.bytes(parts, boundary: boundary)
        }
    }

    package static func writeResponses(
        _ responses: [BatchItemResponse], format: BatchFormat
    ) -> (contentType: String, bytes: [UInt8]) {
        switch format {
        case .json: ("application/json", JSONBatch.bytes(responses))
        case .multipart(let boundary): MultipartWriter.bytes(responses, boundary: boundary)
        }
    }

    static func header(_ name: String, in headers: [(String, String)]) -> String? {
        headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }
}
