import Foundation

/// A kept response: a line of JSON with its head, then the body. The name ends with its size, which reports a file that
/// a crash left incomplete.
struct CacheFile: Sendable {
    private static let suffix = ".answer"
    static let unfinished = ".part"

    let path: String
    /// In bytes.
    let size: Int64
    let url: String
    /// The larger, the later it was used.
    var use = 0

    func open() -> CachedResponse? { CachedResponse(path: path, size: size) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Notes the use for the next start of the app.
    func touch() { try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path) }

    /// `1f0a25d7bd14a0c3-1234.answer`
    static func name(key: String, size: Int64) -> String { "\(hash(key))-\(size)\(suffix)" }

    /// FNV-1a; the file contains its whole key.
    private static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }

    /// The files of an earlier run in `folder` with their keys, the one that was not used for the longest time first.
    /// What is not whole is removed; files of others are left alone.
    static func files(in folder: String) throws -> [(key: String, file: CacheFile)] {
        var found: [(key: String, file: CacheFile, used: Date)] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            if name.hasSuffix(suffix), let size = size(name), let head = CachedResponse(path: path, size: size)?.head {
                let attributes = try? FileManager.default.attributesOfItem(atPath: path)
                let used = attributes?[.modificationDate] as? Date ?? .distantPast
                found.append((head.key, CacheFile(path: path, size: size, url: head.url), used))
            } else if name.hasSuffix(suffix) || name.hasSuffix(unfinished) {
                try FileManager.default.removeItem(atPath: path)
            }
        }
        return found.sorted { $0.used < $1.used }.map { ($0.key, $0.file) }
    }

    private static func size(_ name: String) -> Int64? {
        name.dropLast(suffix.count).split(separator: "-").last.flatMap { Int64($0) }
    }
}
