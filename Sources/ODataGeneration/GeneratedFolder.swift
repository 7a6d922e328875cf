import Foundation

/// The folder that generated files stand in.
public struct GeneratedFolder: Sendable {
    public let path: String

    /// - Parameter path: It is made where it is missing, when files are written.
    public init(path: String) { self.path = path }

    private var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// Writes the files that have changed: all of them, or none where one cannot be written.
    ///
    /// - Parameters:
    ///   - files: What is written.
    ///   - removesOthers: Whether generated files of an earlier run go, after everything was written.
    /// - Throws: ``GenerationError`` where a file with one of the names was not generated, and where the folder or a file
    ///   cannot be read, written or removed. The folder is as it was then.
    public func write(_ files: [GeneratedFile], removesOthers: Bool) throws(GenerationError) {
        let foreign = files.map(\.name).filter { isForeign(url.appendingPathComponent($0)) }
        guard foreign.isEmpty else { throw GenerationError(message: Self.refusal(foreign, path)) }
        let changed = files.filter { file in
            (try? Data(contentsOf: url.appendingPathComponent(file.name))) != Data(file.text.utf8)
        }
        let removed = removesOthers ? try generatedFiles(except: Set(files.map(\.name))) : []
        guard !changed.isEmpty || !removed.isEmpty else { return }
        try FolderChange.apply(changed, removing: removed, in: url)
    }

    private static func refusal(_ names: [String], _ path: String) -> String {
        "\(names.joined(separator: ", ")) in \(path) would be overwritten, without having been written by "
            + "`odata generate`. Move what is yours, or write to another folder."
    }

    private func isForeign(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path) && !isGenerated(url)
    }

    /// The names of the files of an earlier run; none where there is no folder yet.
    private func generatedFiles(except wanted: Set<String>) throws(GenerationError) -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
                name.hasSuffix(".swift") && !wanted.contains(name) && isGenerated(url.appendingPathComponent(name))
            }
        } catch {
            throw GenerationError(message: "The folder \(path) cannot be read: \(error.localizedDescription)")
        }
    }

    private func isGenerated(_ url: URL) -> Bool {
        guard let data = try? Data(contentsOf: url) else { return false }
        return data.starts(with: Data((GeneratedFile.mark + "\n").utf8))
    }
}
