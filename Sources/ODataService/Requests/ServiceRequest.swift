import ByteStreams
import HTTPTypes
import ODataModel
import ODataQuery

/// A request whose URL is split but not yet resolved.
struct ServiceRequest: Sendable {
    var method: HTTPRequest.Method
    /// Relative to the service root: `Products(1)?$select=Name`
    var url: String
    var headers: HTTPFields
    var body: ByteContent
    /// Absolute, with a trailing slash.
    var root: String
    /// That of the HTTP request which it is, or is a part of.
    var context = ResponderContext()
    /// What earlier requests of the same batch gave ids; nil outside a batch.
    var batch: BatchScope?
    /// Whether the client speaks V2.
    var isV2 = false
    /// Whether the options are in the body of a POST.
    var hasQueryInBody = false

    /// Whether each `+` of the query stands for a blank; known when the request is bound.
    var isFormEncoded = false

    /// Path and query: `Products(1)` and `$select=Name`.
    var parts: RequestURL { RequestURL(url, isFormEncoded: isFormEncoded) }

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
        let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = halves.first.map(String.init) ?? ""
        options = (halves.count > 1 ? halves[1].split(separator: "&") : []).map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (PercentEncoding.decoded(pair[0]), pair.count > 1 ? String(pair[1]) : "", pair.count > 1)
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
        let kept = options.filter { option in !names.contains { Self.isNamed(option.name, $0) } }
            .map { $0.value.isEmpty && !$0.hasValue ? $0.name : "\($0.name)=\($0.value)" }
        return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
    }

    private static func isNamed(_ option: String, _ name: String) -> Bool {
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
