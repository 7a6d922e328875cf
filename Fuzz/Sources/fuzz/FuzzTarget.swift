import Synchronization

/// What is fuzzed.
enum FuzzTarget: String, CaseIterable {
    case url
    case urlV2 = "url-v2"
    case headers
    case json
    case verboseJSON = "verbose-json"
    /// The JSON of V3 that is not verbose.
    case lightJSON = "light-json"
    case atom
    case metadata = "csdl"
    case jsonBatch = "batch-json"
    case multipartBatch = "batch-multipart"

    /// libFuzzer's callback carries no context.
    static let chosen = Mutex<FuzzTarget>(.url)

    static func run(_ bytes: [UInt8]) {
        switch chosen.withLock({ $0 }) {
        case .url: URLFuzzing.parse(bytes, isV2: false)
        case .urlV2: URLFuzzing.parse(bytes, isV2: true)
        case .headers: URLFuzzing.parseHeader(bytes)
        case .json: PayloadFuzzing.readJSON(bytes)
        case .verboseJSON, .lightJSON: PayloadFuzzing.readV2(bytes, format: .verboseJSON)
        case .atom: PayloadFuzzing.readV2(bytes, format: .atom)
        case .metadata: MetadataFuzzing.read(bytes)
        case .jsonBatch: BatchFuzzing.read(bytes, format: .json)
        case .multipartBatch: BatchFuzzing.read(bytes, format: .multipart(boundary: "b"))
        }
    }
}
