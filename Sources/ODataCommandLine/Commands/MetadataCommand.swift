import ArgumentParser
import OData

struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Read metadata of any version and print an overview, a diagram, or XML or JSON of 4.01.",
        discussion: """
            The source is a file, - for standard input, the folder of a store, or a URL: of a service's root or of its \
            $metadata. XML of V1 to V4.01 and JSON of V4.01 are understood. Errors in the document are printed on \
            standard error as source:line:column: message; the exit status is 0 where it could be read all the same.

            Names of types, entity sets and operations after the source give all about these, inherited properties \
            too. A type without its namespace is one that only one schema has; '?' says that null is a value, [] that \
            there may be any number, 0..1 that there may be no related entity.

            A diagram has the types with their properties, keys first, what they inherit from, and the navigation \
            properties of entity types with multiplicities: as text in the DOT language of Graphviz, as text of \
            Mermaid, or as an SVG image, which Graphviz draws where its program dot is installed. --keys-only makes \
            the diagram of a large model smaller.

            EXAMPLE:
              odata metadata http://127.0.0.1:8080/
              odata metadata http://127.0.0.1:8080/ Photos Inspections
              odata metadata http://127.0.0.1:8080/ --format xml > service.edmx
              odata metadata field --format json
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
        case dot
        case mermaid
        case svg
    }

    /// How many diagnostics are printed without `--diagnostics`.
    private static let toldDiagnostics = 5

    @Argument(help: "A file, the folder of a store, -, or a URL.", completion: .file())
    var source: String

    @Argument(
        help: ArgumentHelp("The names of types, entity sets and operations to describe in full.", valueName: "name"))
    var names: [String] = []

    @Option(name: [.customShort("f"), .long], help: "summary, xml or json. (default: summary)")
    var format: Format?

    @Option(help: "Draw the types instead: dot, mermaid or svg.")
    var diagram: Diagram?

    @Flag(help: "Draw only the keys of entity types, with the navigation properties.")
    var keysOnly = false

    @Flag(help: "Report all that is wrong in the document; else the first 5.")
    var diagnostics = false

    @OptionGroup var key: KeyFileOption
    @OptionGroup var quiet: QuietOption
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws {
        guard format == nil || diagram == nil else {
            throw ValidationError("Give --format or --diagram, not both.")
        }
        guard names.isEmpty || diagram == nil && (format ?? .summary) == .summary else {
            throw ValidationError("Names are for the summary only.")
        }
        guard !keysOnly || diagram != nil else { throw ValidationError("--keys-only requires --diagram.") }
    }

    func run() async throws {
        let (model, title) = try await read()
        if let diagram { return try print(diagram, of: EntityDiagram(model, hasKeysOnly: keysOnly)) }
        switch format ?? .summary {
        case .summary:
            let lines =
                names.isEmpty
                ? ModelSummary(model, title: title).lines : try ModelDetails(model, of: names).lines
            Console.writeStyled(lines.text(on: .output))
        case .xml: Console.write(bytes: try CSDL.xml(model))
        case .json: return JSONOutput.print(try CSDL.json(model), endsLine: false)
        }
        Console.endLine()
    }

    /// The model, and its source.
    private func read() async throws -> (EdmModel, title: String) {
        let source = MetadataSource(name: source, connection: connection)
        guard try source.isStore else {
            let document = try await source.document(telling: diagnostics ? nil : Self.toldDiagnostics)
            return (document.model, "OData \(document.version) (\(document.format == .json ? "JSON" : "XML"))")
        }
        let folder = try StoreFolderArgument.named(source.name, options: key.keyFile.map { ["--key-file", $0] } ?? [])
        return try await StoreSession.reading(folder) { store in
            let host = folder.host.map { " of \($0)" } ?? ""
            return (try await store.model(), "The store \(source.name)\(host)")
        }
    }

    private func print(_ form: Diagram, of diagram: EntityDiagram) throws {
        switch form {
        case .dot: Console.write(DOTDiagram(diagram: diagram).text)
        case .mermaid: Console.write(MermaidDiagram(diagram: diagram).text)
        case .svg:
            Console.write(bytes: try Graphviz().svg(DOTDiagram(diagram: diagram).text))
            Console.endLine()
        }
    }
}
