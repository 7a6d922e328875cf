import Synchronization

/// A source that reports how far its bytes have been taken.
///
/// Who opens it again begins again, as where a request is repeated; reads that were begun before are no longer
/// reported.
package final class FollowedSource: ByteSource {
    private let source: any ByteSource
    private let report: @Sendable (Int64) -> Void
    /// How many reads were begun.
    private let reads = Mutex(0)

    /// - Parameter report: Gets the offset behind the last byte that was taken, at first the one that was opened at. Called
    ///   one at a time; not for long.
    package init(_ source: any ByteSource, report: @escaping @Sendable (Int64) -> Void) {
        self.source = source
        self.report = report
    }

    package var length: Int64? { source.length }
    package var contentType: String? { source.contentType }
    package var digest: SourceDigest? { source.digest }

    package func identity() throws -> SourceIdentity? { try source.identity() }

    package func open(at offset: Int64) throws -> ByteChunks {
        let chunks = try source.open(at: offset).makeAsyncIterator()
        let number = reads.withLock { reads in
            reads += 1
            report(offset)
            return reads
        }
        let taken = Mutex(offset)
        return ByteChunks { [self] in
            guard let chunk = try await chunks.next() else { return nil }
            let place = taken.withLock { taken in
                taken += Int64(chunk.count)
                return taken
            }
            reads.withLock { if $0 == number { report(place) } }
            return chunk
        }
    }

    /// Nothing more is reported, until it is opened again.
    package func end() { reads.withLock { $0 += 1 } }
}
