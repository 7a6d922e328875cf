import ArgumentParser
import Foundation
import OData
import ODataGeneration

struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write Swift structures for the types of a service.",
        discussion: """
            The source is a file, - for standard input, or a URL: of a service's root or of its $metadata. A file is \
            written for each entity type, complex type and enumeration, and one for the service, with a property for \
            each entity set and a method for each function and action. The same metadata give the same files. Files \
            of an earlier run that are no longer needed are removed; other files stay, and are not overwritten. Where \
            the source is cut off, or a file cannot be written, nothing in the folder changes. With --file everything \
            is written to one file, and nothing is removed.

            A structure is read from what has all properties that it needs. With --partial it is read, too, from a \
            store whose defining queries have $select: each property but the key may be nil, and one that did not come \
            stays as the service has it.

            EXAMPLE:
              odata generate http://127.0.0.1:8080/ --output Sources/App/Service
              odata generate service.edmx --output Generated \\
                --access public --sets WorkOrders,Photos
              odata generate other.edmx --output Generated/Other \\
                --prefix Other --partial
            """)

    @Argument(help: "A file, -, or a URL.", completion: .file())
    var source: String

    @Option(
        name: .shortAndLong, help: "The folder that the files are written to; it is made where it is missing.",
        completion: .directory)
    var output: String

    @Option(help: "The name of one file for everything: Shop.swift.")
    var file: String?

    @Option(help: "Who can use the structures: public or internal.")
    var access: CodeGenerator.Access = .internal

    @Option(help: "The entity sets and singletons to generate, separated by commas; all of them otherwise.")
    var sets: String?

    @Option(help: "A prefix of all type names, so that one module can have the types of two services.")
    var prefix: String = ""

    @Flag(help: "Make all properties but the key optional, for stores that hold a part of the properties.")
    var partial = false

    @OptionGroup var quiet: QuietOption
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run() async throws {
        let document = try await MetadataSource(name: source, connection: connection).document(isWhole: true)
        var generator = CodeGenerator(model: document.model)
        generator.access = access
        generator.sets = sets?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
        generator.prefix = prefix
        generator.isPartial = partial
        try write(generator)
        let left = generator.operationsWithoutMethod
        if !left.isEmpty { Console.message(Self.message(left.map(\.description))) }
    }

    private func write(_ generator: CodeGenerator) throws {
        let folder = GeneratedFolder(path: output)
        if let file { return try folder.write([try generator.file(named: file)], removesOthers: false) }
        let files = try generator.files()
        try folder.write(files, removesOthers: true)
        Console.message("\(files.count.counted("file")) in \(output).")
    }

    private static func message(_ operations: [String]) -> String {
        "No methods for \(operations.joined(separator: ", ")): bound to complex or primitive values, not imported, or "
            + "with streams for arguments."
    }
}

extension CodeGenerator.Access: ExpressibleByArgument {}
