/// The right to a media folder: no other store can claim it during the life of the value.
package final class FolderClaim: Sendable {
    private let file: WritableFile

    fileprivate init(_ file: WritableFile) {
        self.file = file
    }
}

extension MediaFolder {
    private static let ownerLimit = 256

    static func ownerPath(_ path: String) -> String { path + "/owner" }

    /// The file that says whose folder it is, where it was claimed.
    package var ownerPath: String { Self.ownerPath(path) }

    /// Takes the folder for the owner with this name. An unclaimed folder must be empty: its streams would
    /// be strays to the new owner.
    ///
    /// - Throws: ``MediaFileError`` with code `busy` while it is claimed, `notPermitted` if it has another
    ///   owner.
    package func claim(for owner: String) throws -> FolderClaim {
        if Directory.fileLength(ownerPath) == nil { try requireEmpty() }
        let file = try WritableFile(path: ownerPath, .rewritable)
        do { try file.lock() } catch { throw MediaFileError(.busy, "The media folder \(path) is in use.") }
        let found = try file.read(Self.ownerLimit, at: 0)
        if found.isEmpty {
            try requireEmpty()
            try file.overwrite(Array(owner.utf8), at: 0)
            try file.synchronise()
            try Directory.synchronise(path)
        } else if found != Array(owner.utf8) {
            throw MediaFileError(.notPermitted, "The media folder \(path) has another owner.")
        }
        return FolderClaim(file)
    }

    private func requireEmpty() throws {
        guard try !holdsFiles, try Directory.names(in: partials).isEmpty, !hasIndex else {
            throw MediaFileError(.notPermitted, "The media folder \(path) has streams of another owner.")
        }
    }

    /// Whether the folder at `path` was claimed for this owner.
    package static func isClaimed(_ path: String, for owner: String) -> Bool {
        guard let file = try? WritableFile(path: ownerPath(path), .reading) else { return false }
        return (try? file.read(ownerLimit, at: 0)) == Array(owner.utf8)
    }
}
