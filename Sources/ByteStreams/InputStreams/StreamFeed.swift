/// Where an input stream gets its bytes, from one offset on. Another offset needs another feed.
protocol StreamFeed: AnyObject, Sendable {
    /// Begins to open the source, if that needs no waiting.
    func begin()

    /// - Throws: What opening the source throws.
    func waitUntilOpened() throws

    /// Whether the source has been opened.
    var isOpened: Bool { get }

    /// Reads into `buffer`, which is not empty. Called by one thread at a time.
    ///
    /// - Returns: The number of bytes; 0 at the end; nil if there are none now and the feed does not wait.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int?

    /// What a read would find.
    ///
    /// - Parameter offset: Where it would begin.
    func supply(at offset: Int64) -> StreamMachine.Supply

    /// Ends a read that waits, which then throws. The feed is not used any more.
    func stop()
}
