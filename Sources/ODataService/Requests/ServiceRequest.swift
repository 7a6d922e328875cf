import ByteStreams
import HTTPTypes
import ODataModel
import ODataQuery

/// A request whose URL is split but not yet resolved.
struct ServiceRequest: Sendable {
    var method: HTTPRequest.Method
    /// Relative to the service root: `Products(1)?$select=Name`
    var url: String { didSet { parts = RequestURL(url, isFormEncoded: isFormEncoded) } }
    var headers: HTTPFields
    var body: ByteContent
    /// Absolute, with a trailing slash.
    var root: String
    /// That of the HTTP request which it is, or is a part of.
    var context: ResponderContext
    /// What earlier requests of the same batch gave ids; nil outside a batch.
    var batch: BatchScope?
    /// Whether the client speaks V2.
    var isV2: Bool
    /// Whether the options are in the body of a POST.
    var hasQueryInBody = false

    /// Whether each `+` of the query stands for a blank; known when the request is bound.
    var isFormEncoded = false {
        didSet { if isFormEncoded != oldValue { parts = RequestURL(url, isFormEncoded: isFormEncoded) } }
    }

    /// Path and query: `Products(1)` and `$select=Name`.
    private(set) var parts: RequestURL

    init(
        method: HTTPRequest.Method, url: String, headers: HTTPFields, body: ByteContent, root: String,
        context: ResponderContext = ResponderContext(), batch: BatchScope? = nil, isV2: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.root = root
        self.context = context
        self.batch = batch
        self.isV2 = isV2
        parts = RequestURL(url)
    }

    /// Compressed bodies are not taken.
    ///
    /// - Throws: 415
    func checkContentEncoding() throws {
        guard let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" else { return }
        throw ServiceFailure(.unsupportedMediaType, "The Content-Encoding \(encoding) is not supported.")
    }
}

/// A URL relative to the service root, cut in its parts and not decoded.
struct RequestURL: Sendable {
    private(set) var path: String
    private(set) var options: [(name: String, value: String, hasValue: Bool)]
    private let isFormEncoded: Bool

    /// - Parameter isFormEncoded: Whether each `+` of the query stands for a blank.
    init(_ url: String, isFormEncoded: Bool = false) {
        self.isFormEncoded = isFormEncoded
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            path = url
            options = []
            return
        }
        path = String(url[..<mark])
        options = url.utf8[url.utf8.index(after: mark)...].split(separator: UInt8(ascii: "&")).map { item in
            guard let sign = item.firstIndex(of: UInt8(ascii: "=")) else {
                return (PercentEncoding.decoded(Substring(item)), "", false)
            }
            let value = item[item.index(after: sign)...]
            return (PercentEncoding.decoded(Substring(item[..<sign])), String(Substring(value)), true)
        }
    }

    /// The decoded value of a query option; nil if it is not there. System query options may be written without `$`
    /// and in any case.
    subscript(name: String) -> String? {
        options.first { Self.isNamed($0.name, name) }.map { option in
            PercentEncoding.decoded(isFormEncoded ? option.value.replacing("+", with: " ") : option.value)
        }
    }

    /// How often the option is there.
    func count(of name: String) -> Int { options.count { Self.isNamed($0.name, name) } }

    /// The URL without the named options: those that the service itself reads.
    func text(without names: Set<String>) -> String {
        guard !options.isEmpty else { return path }
        let kept = options.filter { option in !names.contains { Self.isNamed(option.name, $0) } }
            .map { $0.value.isEmpty && !$0.hasValue ? $0.name : "\($0.name)=\($0.value)" }
        return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
    }

    static func isNamed(_ option: String, _ name: String) -> Bool {
        guard option != name, name.hasPrefix("$") else { return option == name }
        let option = option.lowercased()
        return option == name || option == name.dropFirst()
    }
}

enum PercentEncoding {
    /// `a%20b` → `a b`; what is not an encoding stays as it is.
    static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var position = 0
        while position < source.count {
            if source[position] == UInt8(ascii: "%"), position + 2 < source.count,
                let high = EdmValue.hexadecimalDigit(source[position + 1]),
                let low = EdmValue.hexadecimalDigit(source[position + 2])
            {
                bytes.append(high << 4 | low)
                position += 3
            } else {
                bytes.append(source[position])
                position += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
