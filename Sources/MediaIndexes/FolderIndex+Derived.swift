import MediaFiles

extension FolderIndex {
    /// Keeps what was made out of a stream in this size, unless the stream is gone: it is removed in a transaction too.
    ///
    /// - Throws: As `MediaFolder.keep(_:of:size:)`.
    package func keep(_ derived: DerivedMedia, of digest: String, size: Int) throws {
        try writing { db in
            guard try number(of: digest, in: db) != nil else { return }
            try folder.keep(derived, of: digest, size: size)
        }
    }
}
