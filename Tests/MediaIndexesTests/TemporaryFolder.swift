import Foundation
import MediaIndexes

/// A folder that goes with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "index-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var media: String { path + "/media" }

    /// The names of the files of complete streams.
    var streams: Set<String> {
        let all = FileManager.default.enumerator(atPath: media)?.compactMap { $0 as? String } ?? []
        return Set(all.map { ($0 as NSString).lastPathComponent }.filter { $0.utf8.count == 64 })
    }

    /// Every file, by its name under the media folder.
    var contents: [String: Data] {
        let all = FileManager.default.enumerator(atPath: media)?.compactMap { $0 as? String } ?? []
        let files = all.compactMap { name in FileManager.default.contents(atPath: "\(media)/\(name)").map { (name, $0) }
        }
        return Dictionary(files, uniquingKeysWith: { first, _ in first })
    }
}

extension FolderIndex {
    /// As ``reconcile(pins:_:)``, of streams that are all at hand.
    func reconcile(_ lengths: [String: Int64?], pins: Set<String>) throws -> FolderDifference {
        try reconcile(pins: pins) { range in lengths.filter { range.contains($0.key) } }
    }
}
