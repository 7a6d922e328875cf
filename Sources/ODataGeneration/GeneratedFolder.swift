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
    /// - Throws: What Foundation throws where files cannot be read, written or removed.
    public func write(_ files: [GeneratedFile], removesOthers: Bool) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        if removesOthers { try remove(except: Set(files.map(\.name))) }
        for file in files {
            let (url, data) = (url.appendingPathComponent(file.name), Data(file.text.utf8))
            if (try? Data(contentsOf: url)) != data { try data.write(to: url, options: .atomic) }
        }
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
