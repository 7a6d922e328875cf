import ODataFormats
import ODataTransport

/// How a JSON response is written: what the client accepts.
///
/// [OData-JSON, section 3; OData-Protocol, sections 8.2.1 and 11.2.12]
struct ResponseFormat: Hashable, Sendable {
    enum Metadata: String, Sendable {
        case none, minimal, full
    }

    var metadata = Metadata.minimal
    /// `Edm.Int64` and `Edm.Decimal` as strings.
    var isIEEE754Compatible = false

    /// `ExponentialDecimals=true`: numbers may have an exponent.
    var exponentialDecimals = false
    /// Whether the client writes `metadata=`, as 4.01 has it.
    var isShort = false
    /// Whether the client asks for `charset=utf-8`, which the response then reports.
    var hasCharset = false
    /// `odata.streaming=true` or `false`, which the response reports as it was asked. All payloads keep to the order of
    /// streaming: [OData-JSON, section 4.4].
    var streaming: Bool?

    /// `application/json;odata.metadata=minimal`
    var contentType: String {
        var text = "application/json;odata.metadata=\(metadata.rawValue)"
        if isIEEE754Compatible { text += ";IEEE754Compatible=true" }
        if exponentialDecimals { text += ";ExponentialDecimals=true" }
        if let streaming { text += ";odata.streaming=\(streaming)" }
        if hasCharset { text += ";charset=utf-8" }
        return text
    }

    /// - Parameters:
    ///   - formatOption: `$format`; it takes precedence over `accept`.
    /// - Throws: 406 if the client takes no JSON that can be written.
    init(formatOption: String?, accept: String?) throws {
        if let formatOption {
            let text = Self.mediaType(formatOption)
            guard let element = HeaderElement(text), let format = ResponseFormat(element) else {
                throw ServiceFailure(.notAcceptable, "$format=\(formatOption) is not supported; json is.")
            }
            self = format
            return
        }
        guard let accept, !accept.isEmpty, accept != "*/*", accept != "application/json" else {
            self.init()
            return
        }
        let ranges = HeaderElement.list(accept).map(AcceptRange.init).filter { $0.weight > 0 }
        let ordered = ranges.enumerated().sorted { left, right in
            left.element.weight == right.element.weight
                ? left.offset < right.offset : left.element.weight > right.element.weight
        }
        guard let format = ordered.lazy.compactMap({ ResponseFormat($0.element.element) }).first else {
            throw ServiceFailure(.notAcceptable, "The response can be application/json; the client accepts \(accept).")
        }
        self = format
    }

    init() {}

    /// `json` → `application/json`, `json;metadata=full` too
    static func mediaType(_ formatOption: String) -> String {
        let name = formatOption.prefix { $0 != ";" }
        let rest = formatOption.dropFirst(name.count)
        switch name.lowercased() {
        case "json": return "application/json" + rest
        case "xml": return "application/xml" + rest
        case "atom": return "application/atom+xml" + rest
        default: return formatOption
        }
    }

    /// Nil for a media range that does not include the JSON of this service.
    private init?(_ element: HeaderElement) {
        switch element.value.lowercased() {
        case "application/json": break
        case "*/*", "application/*": return
        default: return nil
        }
        for parameter in element.parameters {
            switch parameter.name {
            case "odata.metadata", "metadata":
                guard let level = Metadata(rawValue: parameter.value?.lowercased() ?? "") else { return nil }
                metadata = level
                isShort = parameter.name == "metadata"
            case "ieee754compatible":
                guard let value = Self.flag(parameter) else { return nil }
                isIEEE754Compatible = value
            case "exponentialdecimals":
                guard let value = Self.flag(parameter) else { return nil }
                exponentialDecimals = value
            case "odata.streaming", "streaming":
                guard let value = Self.flag(parameter) else { return nil }
                streaming = value
            case "charset":
                guard ["utf-8", "us-ascii"].contains(parameter.value?.lowercased() ?? "") else { return nil }
                hasCharset = true
            default: break
            }
        }
    }

    private static func flag(_ parameter: HeaderElement.Parameter) -> Bool? {
        switch parameter.value?.lowercased() {
        case "true": true
        case "false": false
        default: nil
        }
    }
}

/// One media range of `Accept` with its weight.
struct AcceptRange: Sendable {
    let element: HeaderElement
    /// From 0 (not acceptable) to 1.
    let weight: Double

    init(_ element: HeaderElement) {
        self.element = element
        weight = element["q"].flatMap { Double($0) } ?? 1
    }
}
