import ByteStreams
import Foundation
import HTTPTypes

/// A request that was read: what it names, its parameters and its files.
struct RestCall: Sendable {
    /// A file of a multipart body.
    struct File: Sendable {
        var name: String
        var contentType: String?
        var source: any ByteSource
        var size: Int64
    }

    var request: HTTPRequest
    /// `http://127.0.0.1:41235/`
    var root: String
    /// Nil if the path names nothing.
    var route: Route?
    var parameters: [String: String]
    var files: [String: File] = [:]

    var isPost: Bool { request.method == .post }

    /// Whether JSON was asked for: responses are pages for people otherwise.
    var isJSON: Bool { Self.isJSON(parameters) }

    static func isJSON(_ parameters: [String: String]) -> Bool { ["json", "pjson"].contains(parameters["f"] ?? "") }

    /// From the parameter `token`, or `Authorization: Bearer …`.
    var token: String? {
        if let token = self["token"] { return token }
        for name in [HTTPField.Name.esriAuthorization, .authorization] {
            guard let value = request.headerFields[name], value.hasPrefix("Bearer ") else { continue }
            return String(value.dropFirst("Bearer ".count))
        }
        return nil
    }

    /// A parameter; nil where it is empty, too.
    subscript(name: String) -> String? {
        guard let value = parameters[name], !value.isEmpty else { return nil }
        return value
    }

    func flag(_ name: String, default standard: Bool) throws(RestError) -> Bool {
        switch self[name]?.lowercased() {
        case nil: return standard
        case "true": return true
        case "false": return false
        case let other?: throw .invalid("'\(name)' is true or false, not \(other).")
        }
    }

    /// `a, b`; nil where the parameter is missing.
    func words(_ name: String) -> [String]? {
        self[name]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// `1,2, 3`; nil where the parameter is missing.
    func integers(_ name: String) throws(RestError) -> [Int64]? {
        guard let words = words(name) else { return nil }
        let integers = words.compactMap { Int64($0) }
        guard integers.count == words.count else { throw .invalid("'\(name)' has no list of numbers.") }
        return integers
    }
}

extension HTTPField.Name {
    static let esriAuthorization = HTTPField.Name("X-Esri-Authorization")!
}
