/// A file that a stream is written to.
protocol StreamFile: Sendable {
    var path: String { get }

    /// Keeps others from opening the file the same way, until it is closed.
    func lock() throws

    /// The bytes of the stream so far.
    func length() throws -> Int64

    func append(_ bytes: [UInt8]) throws

    /// Up to `count` bytes of the stream at `offset`; none at the end.
    func read(_ count: Int, at offset: Int64) throws -> [UInt8]

    func truncate() throws

    /// Marks the end of the stream.
    func complete() throws

    /// Returns when the bytes are on the device.
    func synchronise() throws
}

extension WritableFile: StreamFile {
    func complete() {}
}

extension MediaFolder {
    func streamFile(path: String, _ opening: WritableFile.Opening) throws -> any StreamFile {
        guard let encryption else { return try WritableFile(path: path, opening) }
        return try SealedStreamFile(path: path, opening, key: encryption.key)
    }
}
