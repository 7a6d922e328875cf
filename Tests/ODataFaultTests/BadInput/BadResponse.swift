import OData
import ODataTesting
import Testing

/// Something that a page of entities should not be, and what is to be said about it.
struct BadResponse: Sendable, CustomTestStringConvertible {
    var name: String
    var fault: TransportFault
    var code: ODataError.Code
    /// Parts of the message.
    var texts: [String]

    var testDescription: String { name }

    private static let html = Array("<html><title>Sign in</title></html>".utf8)
    private static let json = "application/json"

    static let all = [
        BadResponse(name: "no connection", fault: .refused, code: .unreachable, texts: ["refused"]),
        BadResponse(
            name: "a login page", fault: .body(html, contentType: "text/html"), code: .invalidResponse,
            texts: ["text/html"]),
        BadResponse(
            name: "a login page that calls itself JSON", fault: .body(html, contentType: json), code: .invalidResponse,
            texts: ["at byte 0"]),
        BadResponse(
            name: "an empty body", fault: .body([], contentType: json), code: .invalidResponse, texts: ["at byte 0"]),
        BadResponse(
            name: "another JSON document", fault: .body(Array(#"{"ok":true}"#.utf8), contentType: json),
            code: .invalidResponse, texts: ["value"]),
        BadResponse(
            name: "a key of the wrong type",
            fault: .body(Array(#"{"value":[{"SalesOrderID":"x"}]}"#.utf8), contentType: json), code: .invalidResponse,
            texts: ["SalesOrderID is of type", "at byte 26"]),
        BadResponse(
            name: "a date that is none",
            fault: .body(
                Array(#"{"value":[{"SalesOrderID":1,"OrderDate":"2026-13-45"}]}"#.utf8), contentType: json),
            code: .invalidResponse, texts: ["OrderDate", "at byte 40"]),
        BadResponse(
            name: "a number too large",
            fault: .body(
                Array(#"{"value":[{"SalesOrderID":99999999999999999999}]}"#.utf8), contentType: json),
            code: .invalidResponse, texts: ["SalesOrderID", "at byte 26"]),
        BadResponse(name: "a cut", fault: .cut(after: 150), code: .unreachable, texts: ["connection broke"]),
        BadResponse(name: "a cut before the first byte", fault: .cut(after: 0), code: .unreachable, texts: ["broke"]),
        BadResponse(
            name: "a Content-Length that is too large", fault: .contentLength(1_000_000), code: .unreachable,
            texts: ["Content-Length"]),
        BadResponse(
            name: "a Content-Length that is too small", fault: .contentLength(120), code: .invalidResponse,
            texts: ["at byte 120"]),
        BadResponse(name: "an unavailable service", fault: .status(503), code: .unreachable, texts: ["503"]),
    ]
}
