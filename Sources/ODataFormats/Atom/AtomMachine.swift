import ODataMetadata
import ODataModel

/// Turns the bytes of a feed or an entry, given in pieces, into blocks of rows.
package struct AtomMachine: PayloadParser {
    private let scanner: XMLScanner<AtomHandler>
    private var isFinished = false

    package static func parser(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) -> sending Self {
        Self(shape: shape, kind: kind, limits: limits)
    }

    package init(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) {
        scanner = XMLScanner(
            AtomHandler(shape: shape, kind: kind, limits: limits), limits: XMLLimits(depth: limits.depth * 4))
    }

    package mutating func feed(_ chunk: [UInt8]) throws(FormatError) { try scanner.feed(chunk) }

    package mutating func advance(isEnd: Bool) throws(FormatError) -> PayloadStep {
        if isEnd, !isFinished, scanner.handler.ready.isEmpty {
            isFinished = true
            try scanner.finish()
            try scanner.handler.finish()
        }
        return scanner.handler.takeReady().map(PayloadStep.block) ?? (isEnd ? .end : .needsBytes)
    }
}
