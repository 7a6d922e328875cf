import Foundation

/// The folder that generated files stand in.
public struct GeneratedFolder: Sendable {
    public let path: String

    /// - Parameter path: It is made where it is missing, when files are written.
    public init(path: String) { self.path = path }

    private var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// Writes the files that have changed.
    ///
    /// - Parameters:
    ///   - files: What is written.
    ///   - removesOthers: Whether generated files of an earlier run go.
    /// - Throws: ``GenerationError`` before anything is written, where a file with one of the names was not generated;
    ///   what Foundation throws where files cannot be read, written or removed.
    public func write(_ files: [GeneratedFile], removesOthers: Bool) throws {
        let foreign = files.map(\.name).filter { isForeign(url.appendingPathComponent($0)) }
        guard foreign.isEmpty else { throw GenerationError(message: Self.refusal(foreign, path)) }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        if removesOthers { try remove(except: Set(files.map(\.name))) }
        for file in files {
            let (url, data) = (url.appendingPathComponent(file.name), Data(file.text.utf8))
            if (try? Data(contentsOf: url)) != data { try data.write(to: url, options: .atomic) }
        }
    }

    private static func refusal(_ names: [String], _ path: String) -> String {
        "\(names.joined(separator: ", ")) in \(path) would be overwritten, without having been written by "
            + "`odata generate`. Move what is yours, or write to another folder."
    }

    private func isForeign(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path) && !isGenerated(url)
    }

    private func remove(except wanted: Set<String>) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where !wanted.contains(name) {
            let url = url.appendingPathComponent(name)
            if name.hasSuffix(".swift"), isGenerated(url) { try FileManager.default.removeItem(at: url) }
        }
    }

    private func isGenerated(_ url: URL) -> Bool {
        guard let data = try? Data(contentsOf: url) else { return false }
        return data.starts(with: Data((GeneratedFile.mark + "\n").utf8))
    }
}
