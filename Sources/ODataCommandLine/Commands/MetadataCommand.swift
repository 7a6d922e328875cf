import ArgumentParser
import OData

struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Read metadata of any version and print an overview, a diagram, or XML or JSON of 4.01.",
        discussion: """
            The source is a file, - for standard input, or a URL: of a service's root or of its $metadata. XML of V1 \
            to V4.01 and JSON of V4.01 are understood. What is wrong in the document is told on standard error as \
            source:line:column: message; the exit status is 0 where it could be read all the same.

            A diagram has the entity types with their properties, keys first, what they inherit from, and their \
            relations with multiplicities: as text of Mermaid, or as an SVG image.

            EXAMPLE:
              odata metadata http://127.0.0.1:8080/
              odata metadata http://127.0.0.1:8080/ --format xml > service.edmx
              odata metadata service.edmx --diagram svg > service.svg
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

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws {
        guard format == nil || diagram == nil else {
            throw ValidationError("Give --format or --diagram, not both.")
        }
    }

    func run() async throws {
        let document = try await MetadataSource(name: source, connection: connection).document()
        if let diagram { return print(diagram, of: EntityDiagram(document.model)) }
        switch format ?? .summary {
        case .summary: Console.write(ModelSummary(document).text)
        case .xml: Console.write(bytes: CSDL.xml(document.model))
        case .json: Console.write(bytes: CSDL.json(document.model))
        }
        Console.endLine()
    }

    private func print(_ form: Diagram, of diagram: EntityDiagram) {
        switch form {
        case .mermaid: Console.write(MermaidDiagram(diagram: diagram).text)
        case .svg: Console.write(SVGDiagram(diagram).text)
        }
    }
}
