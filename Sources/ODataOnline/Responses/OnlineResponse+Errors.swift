import Foundation
import HTTPTypes
import ODataFormats
import ODataModel
import ODataStores
import ODataTransport

extension OnlineResponse {
    private static let maxErrorBytes = 1024 * 1024

    /// The error that the response is.
    func failure() async -> ODataError {
        let bytes = (try? await body.collect(upTo: Self.maxErrorBytes)) ?? []
        let service = ServiceError(body: bytes)
        var message = "The service returned \(statusText)"
        if let text = service?.message, !text.isEmpty {
            message = text
        } else if (300..<400).contains(status), let location = head.headerFields[.location] {
            message += ", which redirects to \(location)."
        } else {
            message += Self.excerpt(bytes).map { ": \($0)" } ?? "."
        }
        // The session lacks a token: all other changes would be refused too.
        let code = head.wantsCSRFToken ? .unauthorized : ODataError.Code(status: status)
        var error = ODataError(code, message)
        error.status = status
        error.service = service
        error.facts.isRepeatable = head.headerFields.tellsRepeatable
        error.request = request.name
        error.retryAfter = head.headerFields[.retryAfter].flatMap { text in
            RetryAfter.seconds(text, now: Int64(Date().timeIntervalSince1970))
        }
        if status == 416, let range = head.headerFields[.contentRange] {
            error.facts.streamLength = ContentRange.length(unsatisfied: range)
        }
        error.isOutcomeUnknown = request.isChange && (isOutcomeUnknown || mayHaveActedBefore)
        return error
    }

    /// A gateway that got no response, a success that is not an OData response, or "see other", which may mean done.
    /// 408 and 503 are said by gateways that lost the response, too; with `Retry-After` 503 is the service's own word.
    private var isOutcomeUnknown: Bool {
        [303, 408, 502, 504].contains(status) || (200..<300).contains(status)
            || status == 503 && !head.headerFields.contains(.retryAfter)
    }

    /// The error for a response that is not what was asked for.
    func unexpected(beginning bytes: [UInt8]) -> ODataError {
        let type = head.headerFields[.contentType] ?? "no content type"
        let text = Self.excerpt(bytes).map { ", beginning with “\($0)”" } ?? ""
        return invalid("The response is not OData: \(statusText), \(type)\(text).")
    }

    /// The error for 204 where entities were asked for: a gateway or a service that is not well says so too, and all that
    /// is here would pass for gone.
    ///
    /// [OData-Protocol, section 11.2.7: an empty collection is 200 with an empty array]
    var missingCollection: ODataError {
        invalid("The service returned \(statusText), without content, where a collection was asked for.")
    }

    /// The error for a success that has an error in its body.
    func contradictory(_ error: ServiceError) -> ODataError {
        var failure = invalid("The response has a success status, but contains an error: \(error.message)")
        failure.service = error
        return failure
    }

    func invalid(_ message: String, cause: (any Error)? = nil) -> ODataError {
        var error = ODataError(.invalidResponse, message, cause: cause)
        error.status = status
        error.request = request.name
        error.isOutcomeUnknown = request.isChange
        return error
    }

    private var statusText: String {
        let phrase = head.status.reasonPhrase
        return phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
    }

    /// The first words of a text, or of what a page shows, on one line; nil if there are none.
    private static func excerpt(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
        let shown = text.drop { $0.isWhitespace }.first == "<" ? withoutTags(text) : text
        let words = shown.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0xFFFD }
        }
        let line = words.joined(separator: " ")
        guard !line.isEmpty else { return nil }
        return line.count > 160 ? line.prefix(159) + "…" : line
    }

    /// The text of a page without tags, styles and scripts.
    private static func withoutTags(_ page: String) -> String {
        var rest = page[...]
        var text = ""
        while let open = rest.firstIndex(of: "<") {
            text += rest[..<open] + " "
            rest = rest[open...]
            let name = rest.dropFirst().prefix { $0.isLetter }.lowercased()
            if name == "style" || name == "script", let end = rest.range(of: "</\(name)", options: .caseInsensitive) {
                rest = rest[end.upperBound...]
            }
            guard let close = rest.firstIndex(of: ">") else { return text }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}

extension ODataError.Code {
    /// What an HTTP status means that is not a success.
    ///
    /// Statuses by which a service or a gateway asks for patience are as good as no service.
    package init(status: Int) {
        self =
            switch status {
            case 401, 407: .unauthorized
            case 403: .forbidden
            case 404: .notFound
            case 405: .methodNotAllowed
            case 409: .conflict
            case 410: .gone
            case 412: .preconditionFailed
            case 413: .tooLarge
            case 415: .unsupportedMediaType
            case 416: .rangeNotSatisfiable
            case 424: .failedDependency
            case 428: .preconditionRequired
            case 408, 429, 502, 503, 504: .unreachable
            case 501: .notImplemented
            case 400..<500: .badRequest
            case 500..<600: .internalError
            default: .invalidResponse
            }
    }
}
