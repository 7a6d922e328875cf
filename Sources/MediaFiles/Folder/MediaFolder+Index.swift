/// What the index of a folder needs to know.
extension MediaFolder {
    static let indexName = "index.sqlite"

    /// The database that reports who refers to which streams.
    package var indexPath: String { "\(path)/\(Self.indexName)" }

    var hasIndex: Bool { Self.hasIndex(at: path) }

    /// Whether the folder at `path`, which need not be there, has an index.
    package static func hasIndex(at path: String) -> Bool { Directory.fileLength("\(path)/\(indexName)") != nil }

    /// Makes the folder at `path` if it does not exist, and runs `body` while no other store can open it.
    package static func opening<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        try Directory.create(path)
        return try Directory.whileLocked(path, body)
    }

    /// Whether one owner alone has the folder, who keeps no index.
    package var isClaimed: Bool { Directory.fileLength(Self.ownerPath(path)) != nil }

    /// Whether there are complete streams in it.
    package var holdsFiles: Bool { get throws { try Self.holdsFiles(at: path) } }
}
