import MediaFiles

/// The shared folder that a store has, as its database reports: another one, or one that would have to be made, is not
/// opened in its place.
package struct KnownFolder: Hashable, Sendable {
    /// As ``FolderIndex/id``.
    package var id: String
    /// Where it was when it was opened last.
    package var path: String
    /// Of some streams that the store has in files there.
    package var digests: Set<String>

    package init(id: String, path: String, digests: Set<String>) {
        self.id = id
        self.path = path
        self.digests = digests
    }

    /// Whether anything at `path` may be this folder. Nothing is changed.
    func mayBe(at path: String) throws -> Bool {
        if MediaFolder.hasIndex(at: path) { return true }
        return try path == self.path && MediaFolder.holdsFiles(at: path)
    }

    /// Whether `folder` is this one, wherever it was moved to: also where its index was removed because it was damaged, and
    /// made anew over the files. Another one whose index was made anew as well has none of the streams.
    func isSame(_ found: IndexTables.Identity, _ folder: MediaFolder) -> Bool {
        if found.id == id { return true }
        guard folder.path == path, !found.isWhole else { return false }
        return digests.isEmpty || digests.contains(where: folder.contains(digest:))
    }
}
