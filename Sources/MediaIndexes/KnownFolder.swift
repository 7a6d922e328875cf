import MediaFiles

/// The shared folder that a store has, as its database tells: another one, or one that would have to be made, is not
/// opened in its place.
package struct KnownFolder: Hashable, Sendable {
    /// As ``FolderIndex/id``.
    package var id: String
    /// Where it was when it was opened last.
    package var path: String

    package init(id: String, path: String) {
        self.id = id
        self.path = path
    }

    /// Whether anything at `path` may be this folder. Nothing is changed.
    func mayBe(at path: String) throws -> Bool {
        if MediaFolder.hasIndex(at: path) { return true }
        return try path == self.path && MediaFolder.holdsFiles(at: path)
    }

    /// Whether the folder at `path` is this one, wherever it was moved to: also where its index was removed because it was
    /// damaged, and made anew over the files.
    func isSame(_ found: IndexTables.Identity, at path: String) -> Bool {
        found.id == id || path == self.path && !found.isWhole
    }
}
