import ByteStreams
import Foundation
import HTTPTypes
import MediaFiles
import ODataService
import ODataTransport

extension RestCall {
    /// In bytes: of all parts but files.
    private static let formLimit = 64 << 20

    /// Reads a request with its body.
    ///
    /// - Parameters:
    ///   - service: The service's name.
    ///   - folder: Where files are put.
    /// - Throws: ``RestError`` if the body is not a form, and what reading and writing throws.
    init(
        _ request: HTTPRequest, body: ByteContent, root: String, service: String, folder: String
    ) async throws {
        let target = request.path ?? "/"
        let path = target.prefix { $0 != "?" }
        self.init(
            request: request, root: root, route: Route.named(String(path), service: service),
            parameters: FormText.parameters(target.dropFirst(path.count + 1)))
        try await read(body, folder: folder)
    }

    private mutating func read(_ body: ByteContent, folder: String) async throws {
        guard isPost, let type = request.headerFields[.contentType].flatMap({ HeaderElement($0) }) else { return }
        switch type.value.lowercased() {
        case "application/x-www-form-urlencoded":
            let text = String(decoding: try await body.collect(upTo: Self.formLimit), as: UTF8.self)
            parameters.merge(FormText.parameters(text)) { _, new in new }
        case "multipart/form-data":
            guard let boundary = type["boundary"] else { throw RestError.invalid("The body has no boundary.") }
            try await read(FormDataReader(try body.chunks(), boundary: boundary), folder: folder)
        default: throw RestError.invalid("The body is not a form.")
        }
    }

    private mutating func read(_ parts: FormDataReader, folder: String) async throws {
        var parts = parts
        var left = Self.formLimit
        while let headers = try await parts.nextPart() {
            guard let disposition = headers["content-disposition"].flatMap({ HeaderElement($0) }),
                disposition.value.lowercased() == "form-data", let name = disposition["name"]
            else { throw RestError.invalid("A part of the body is not form-data.") }
            if let file = disposition["filename"] {
                files[name] = try await Self.file(file, type: headers["content-type"], &parts, folder: folder)
            } else {
                var bytes: [UInt8] = []
                while let more = try await parts.nextBytes() {
                    left -= more.count
                    guard left >= 0 else { throw RestError.invalid("The form is too long.") }
                    bytes += more
                }
                parameters[name] = String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    private static func file(
        _ name: String, type: String?, _ parts: inout FormDataReader, folder: String
    ) async throws -> File {
        let path = "\(folder)/\(UUID().uuidString)"
        let output = try OutputFile(path: path)
        do {
            while let bytes = try await parts.nextBytes() { try output.append(bytes) }
            try output.finish()
        } catch {
            output.discard()
            throw error
        }
        let source = try FileSource(path: path)
        return File(name: Self.decoded(name), contentType: type, source: source, size: source.length ?? 0)
    }

    /// Forms write quotes and line breaks in names as `%22`, `%0D` and `%0A`, and nothing else.
    private static func decoded(_ name: String) -> String {
        name.replacingOccurrences(of: "%22", with: "\"").replacingOccurrences(of: "%0D", with: "\r")
            .replacingOccurrences(of: "%0A", with: "\n")
    }
}
