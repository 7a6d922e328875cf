import ArgumentParser
import Foundation
import HTTPTypes
import OData

struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Read metadata of any version and print an overview, a diagram, or XML or JSON of 4.01.",
        discussion: """
            The source is a file, - for standard input, or a URL: of a service's root or of its $metadata. XML of V1 to \
            V4.01 and JSON of V4.01 are understood. What is wrong in the document is told on standard error as \
            source:line:column: message; the exit status is 0 where it could be read all the same.

            A diagram has the entity types with their properties, keys first, what they inherit from, and their relations
            with multiplicities: as text of Mermaid, or as an SVG image.

            EXAMPLE: odata metadata http://127.0.0.1:8080/
            EXAMPLE: odata metadata service.edmx --format json
            EXAMPLE: odata metadata service.edmx --diagram svg > service.svg
            """)

    /// How the model is printed.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case summary
        case xml
        case json
    }

    /// How the model is drawn.
    enum Diagram: String, ExpressibleByArgument, CaseIterable {
        case mermaid
        case svg
    }

    @Argument(help: "A file, -, or a URL.", completion: .file())
    var source: String

    @Option(help: "summary, xml or json. (default: summary)")
    var format: Format?

    @Option(help: "Draw the entity types instead: mermaid or svg.")
    var diagram: Diagram?

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard format == nil || diagram == nil else {
            throw ValidationError("Give --format or --diagram, not both.")
        }
    }

    func run() async throws {
        let document = try read(try await bytes())
        for diagnostic in document.diagnostics { Console.message("\(name):\(diagnostic)") }
        if let diagram { return print(diagram, of: EntityDiagram(document.model)) }
        switch format ?? .summary {
        case .summary: Console.write(ModelSummary(document).text)
        case .xml: Console.write(bytes: CSDL.xml(document.model))
        case .json: Console.write(bytes: CSDL.json(document.model))
        }
    }

    private func print(_ form: Diagram, of diagram: EntityDiagram) {
        switch form {
        case .mermaid: Console.write(MermaidDiagram(diagram: diagram).text)
        case .svg: Console.write(SVGDiagram(diagram).text)
        }
    }

    /// The source as messages name it.
    private var name: String { source == "-" ? "<stdin>" : source }

    private func read(_ bytes: [UInt8]) throws -> CSDLDocument {
        do {
            return try CSDL.document(bytes)
        } catch {
            guard let line = error.line else { throw Failure("\(name): \(error)") }
            throw Failure("\(name):\(line):\(error.column ?? 1): \(error.message)")
        }
    }

    private func bytes() async throws -> [UInt8] {
        if source.hasPrefix("http://") || source.hasPrefix("https://") { return try await fetched() }
        if source == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
        return Array(try Data(named: source))
    }

    /// `GET <root>/$metadata`
    private func fetched() async throws -> [UInt8] {
        let url = try AbsoluteURL(typed: Self.metadataURL(source))
        return try await connection.withTransport { transport in
            var request = HTTPRequest(method: .get, scheme: url.scheme, authority: url.authority, path: url.path)
            request.headerFields[.accept] = "application/xml, application/json;q=0.5"
            let reply = try await transport.send(request, body: nil)
            guard reply.response.status.kind == .successful else {
                let status = reply.response.status
                throw Failure(
                    "The service answered \(status.code) \(status.reasonPhrase).",
                    advice: Advice.line(forStatus: status.code))
            }
            return try await reply.body.collect(upTo: 256 << 20)
        }
    }

    /// The URL itself where it names a document, else that of the service's metadata.
    static func metadataURL(_ text: String) -> String {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let documents = ["$metadata", "%24metadata", ".xml", ".json", ".edmx", ".csdl"]
        guard !documents.contains(where: { path.lowercased().hasSuffix($0) }) else { return text }
        return path + (path.hasSuffix("/") ? "$metadata" : "/$metadata") + text[path.endIndex...]
    }
}
