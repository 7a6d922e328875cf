import ByteStreams
import ODataStores

extension ByteContent {
    /// The body of a response whose reading fails with ``ODataError`` only.
    init(of request: OutgoingRequest, _ body: ByteContent, length: Int64?) throws {
        let iterator: ByteChunks.AsyncIterator
        do {
            iterator = try body.chunks().makeAsyncIterator()
        } catch {
            throw ODataError(reading: error, of: request)
        }
        let chunks = ByteChunks {
            do {
                return try await iterator.next()
            } catch {
                throw ODataError(reading: error, of: request)
            }
        }
        self.init(chunks, length: length)
    }
}
