import Foundation
import PackagePlugin

/// The files of a target that the plugin knows.
struct TargetFiles {
    private let documents: [URL]
    private let settings: URL?
    private let folder: URL

    /// - Parameter folder: The target's own.
    init(_ files: [URL], in folder: URL) {
        documents = files.filter(Self.isDocument)
        settings = files.first { $0.lastPathComponent == "odata-generator.json" }
        self.folder = folder
    }

    /// `shop.edmx`, `shop.csdl`, `shop.csdl.json`, `metadata.xml`, `shop-metadata.json`, `$metadata.xml`.
    private static func isDocument(_ file: URL) -> Bool {
        if ["edmx", "csdl"].contains(file.pathExtension) { return true }
        guard ["xml", "json"].contains(file.pathExtension) else { return false }
        let name = file.deletingPathExtension().lastPathComponent
        return name.hasSuffix("metadata") || name.hasSuffix(".csdl")
    }

    /// - Parameter folder: The one that the plugin may write to.
    func commands(tool: URL, folder: URL) -> [Command] {
        let settings = [settings].compactMap { $0 }
        return documents.map { document in
            let output = folder.appendingPathComponent(name(for: document))
            return .buildCommand(
                displayName: "Writing Swift for \(document.lastPathComponent)", executable: tool,
                arguments: ([document, output] + settings).map(\.path), inputFiles: [document] + settings,
                outputFiles: [output])
        }
    }

    /// `Shop/metadata.xml` → `Shop-metadata+Generated.swift`: a module has no two files of the same name.
    private func name(for document: URL) -> String {
        let own = folder.standardizedFileURL.pathComponents
        let path = document.deletingPathExtension().standardizedFileURL.pathComponents
        let inside = path.starts(with: own) ? path.dropFirst(own.count) : path.suffix(1)
        return inside.joined(separator: "-") + "+Generated.swift"
    }
}
