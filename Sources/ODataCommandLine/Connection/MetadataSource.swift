import Foundation
import HTTPTypes
import OData

/// A file, standard input or a URL that metadata are read from.
struct MetadataSource {
    /// `-` for standard input.
    let name: String
    let connection: ConnectionOptions

    /// Whether the source is the folder of a store, and no document.
    ///
    /// - Throws: ``Failure`` if it is another folder.
    var isStore: Bool {
        get throws {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder.boolValue else {
                return false
            }
            guard StoreCompletion.isStore(name) else {
                throw Failure("\(name) is a folder, but that of no store: name a file, or the folder of a store.")
            }
            return true
        }
    }

    /// Reads the document, and prints its diagnostics on standard error.
    ///
    /// - Parameters:
    ///   - limit: How many diagnostics are printed before a line with the number of the others; nil for all.
    ///   - isWhole: Whether a document that is cut off is an error; otherwise it is read as far as possible.
    func document(telling limit: Int? = nil, isWhole: Bool = false) async throws -> CSDLDocument {
        let document = try read(try await bytes(), isWhole: isWhole)
        let diagnostics = document.diagnostics
        let told = limit ?? diagnostics.count
        for diagnostic in diagnostics.prefix(told) { Console.message("\(shownName):\(diagnostic)") }
        if diagnostics.count > told { Console.message("\(diagnostics.count - told) more: --diagnostics") }
        return document
    }

    /// The source as messages name it.
    private var shownName: String { name == "-" ? "<stdin>" : name }

    private func read(_ bytes: [UInt8], isWhole: Bool) throws -> CSDLDocument {
        var limits = PayloadLimits.default
        limits.metadataElements = connection.maxMetadataElements ?? limits.metadataElements
        do {
            return try isWhole ? CSDL.wholeDocument(bytes, limits: limits) : CSDL.document(bytes, limits: limits)
        } catch {
            guard let line = error.line else { throw Failure("\(shownName): \(error)") }
            throw Failure("\(shownName):\(line):\(error.column ?? 1): \(error.message)")
        }
    }

    private func bytes() async throws -> [UInt8] {
        if name.hasPrefix("http://") || name.hasPrefix("https://") { return try await fetched() }
        if name == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
        if !FileManager.default.fileExists(atPath: name), isAddress {
            throw Failure("There is no file \(name). Of a service, give the URL with http:// or https:// before it.")
        }
        return Array(try Data(named: name))
    }

    /// Whether it may be a service without a scheme: `localhost:8080`, `services.example.org/field/`
    private var isAddress: Bool {
        let host = name.prefix { $0 != "/" && $0 != "?" }
        let port = host.split(separator: ":", omittingEmptySubsequences: false).dropFirst()
        let isPort = port.count == 1 && port.allSatisfy { UInt16($0) != nil }
        return isPort || host.contains(".") && host.count < name.count && !host.hasPrefix(".")
    }

    /// `GET <root>/$metadata`
    private func fetched() async throws -> [UInt8] {
        let url = try AbsoluteURL(typed: Self.metadataURL(name))
        return try await connection.withTransport { transport in
            var request = HTTPRequest(method: .get, url: url)
            if !connection.gives(.accept) {
                request.headerFields[.accept] = "application/xml, application/json;q=0.5"
            }
            let limit = connection.metadataTimeout ?? 120
            return try await ProgressLines(host: url.authority).waiting { [request] in
                try await withDeadline(.seconds(limit), orThrow: Self.tooLate(url, limit)) {
                    try await Self.responseBody(to: request, over: transport)
                }
            }
        }
    }

    private static func responseBody(to request: HTTPRequest, over transport: any HTTPTransport) async throws -> [UInt8]
    {
        let response = try await transport.send(request, body: nil)
        guard response.head.status.kind == .successful else {
            let advice = Advice.credentialsOnly(forStatus: response.head.status.code)
            throw try await Failure.failedResponse(response, advice: advice ?? Advice.serviceRoot)
        }
        return try await response.body.collect(upTo: 256 << 20)
    }

    private static func tooLate(_ url: AbsoluteURL, _ seconds: Int) -> Failure {
        Failure(
            "The metadata of \(url.authority) did not arrive within \(seconds.counted("second")): "
                + "--metadata-timeout sets another limit.")
    }

    /// The URL itself where it names a document, else that of the service's metadata.
    private static func metadataURL(_ text: String) -> String {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let documents = ["$metadata", "%24metadata", ".xml", ".json", ".edmx", ".csdl"]
        guard !documents.contains(where: { path.lowercased().hasSuffix($0) }) else { return text }
        return path + (path.hasSuffix("/") ? "$metadata" : "/$metadata") + text[path.endIndex...]
    }
}
