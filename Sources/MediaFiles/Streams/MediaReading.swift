import ByteStreams

/// Where complete streams are read from.
package protocol MediaReading: Sendable {
    func contains(digest: String) -> Bool

    /// - Throws: As ``MediaFolder/source(digest:)``.
    func source(digest: String) throws -> any ByteSource
}

extension MediaFolder: MediaReading {}
