import Foundation
import ODataGeneration
import ODataMetadata

/// Writes one file of Swift for one metadata document.
struct DocumentGeneration {
    let document: String
    let output: String
    let settings: String?

    func run() throws(BuildProblem) {
        let settings = try settings.map { file throws(BuildProblem) in
            try GeneratorSettings(bytes: Self.bytes(of: file), file: file)
        }
        let metadata = try read()
        for diagnostic in metadata.diagnostics {
            complain("\(document):\(diagnostic.line ?? 1):\(diagnostic.column ?? 1): note: \(diagnostic.message)")
        }
        var generator = CodeGenerator(model: metadata.model)
        settings?.apply(to: &generator, document: document)
        try write(generator)
    }

    private func read() throws(BuildProblem) -> CSDLDocument {
        let bytes = try Self.bytes(of: document)
        do {
            return try CSDL.wholeDocument(bytes, limits: .ofKnownMetadata)
        } catch {
            throw BuildProblem(error.message, file: document, line: error.line, column: error.column)
        }
    }

    private func write(_ generator: CodeGenerator) throws(BuildProblem) {
        let url = URL(fileURLWithPath: output)
        let file: GeneratedFile
        do {
            file = try generator.file(named: url.lastPathComponent)
        } catch {
            throw BuildProblem(error.message, file: settings ?? document)
        }
        do {
            let folder = GeneratedFolder(path: url.deletingLastPathComponent().path)
            try folder.write([file], removesOthers: false)
        } catch {
            throw BuildProblem(error.message, file: output)
        }
    }

    private static func bytes(of file: String) throws(BuildProblem) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
        } catch {
            throw BuildProblem(error.localizedDescription, file: file)
        }
    }
}
