import ByteStreams
import ODataStores

/// A stream of the media folder of which the store learns when it is found to be damaged.
struct ReportingSource: ByteSource {
    let source: any ByteSource
    /// Gives the error that who reads gets.
    let report: @Sendable () async -> ODataError

    var length: Int64? { source.length }

    func open(at offset: Int64) throws -> ByteChunks {
        let chunks = try source.open(at: offset).makeAsyncIterator()
        return ByteChunks { [report] in
            do { return try await chunks.next() } catch let error as ByteStreamError where error.code == .changed {
                throw await report()
            }
        }
    }
}
