import ODataModel
import Synchronization

/// Adds the delta link to the last block of the last page, and the token that makes it to the next links before.
final class TrackingReader: EntityReader {
    private let reader: any EntityReader
    private let token: String
    private let deltaLink: String
    private let state = Mutex(State.start)

    private enum State {
        case start
        /// A block that has been read, and is not known to be the last.
        case ahead(RowBlock)
        case end
    }

    init(_ reader: any EntityReader, token: String, deltaLink: String) {
        self.reader = reader
        self.token = token
        self.deltaLink = deltaLink
    }

    var shape: RowShape { reader.shape }

    func next() async throws -> RowBlock? {
        let current: RowBlock
        switch state.withLock({ $0 }) {
        case .end: return nil
        case .ahead(let block): current = block
        case .start:
            guard let block = try await reader.next() else {
                state.withLock { $0 = .end }
                return finished(RowBlock())
            }
            current = block
        }
        let following = try await reader.next()
        state.withLock { $0 = following.map(State.ahead) ?? .end }
        return following == nil ? finished(current) : current
    }

    private func finished(_ block: RowBlock) -> RowBlock {
        var block = block
        if let link = block.nextLink {
            block.nextLink = "\(link)\(link.contains("?") ? "&" : "?")$deltatoken=\(token)"
        } else {
            block.deltaLink = deltaLink
        }
        return block
    }
}
