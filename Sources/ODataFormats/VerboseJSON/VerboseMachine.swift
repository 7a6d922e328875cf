import ODataMetadata
import ODataModel

/// Turns the bytes of a verbose JSON payload, given in pieces, into blocks of rows.
package struct VerboseMachine: PayloadParser {
    enum Phase: Equatable {
        case start
        /// Inside the outer object, where a member or its end is next.
        case outer(isFirst: Bool)
        /// Inside the object of `d`.
        case inner(isFirst: Bool)
        /// Inside the array of entities; in V1 that is `d` itself, in light JSON `value` of the outer object.
        case elements(isFirst: Bool, isOuter: Bool)
        case end
    }

    private static let leastBytes = 64 * 1024

    let kind: PayloadKind
    let limits: PayloadLimits
    let levels: [ShapeLevel]
    private var members: [VerboseMembers]
    var phase = Phase.start
    private var buffer: [UInt8] = []
    /// Bytes of the payload before the buffer.
    private var offset = 0
    private var wanted = leastBytes
    var hasData = false
    /// Whether the entities stand in an array with nothing around it.
    var isBare = false
    var count: Int64?
    var nextLink: String?
    var deltaLink: String?
    private var sentCount = false
    /// What earlier blocks noted.
    private var noted: [String] = []

    package static func parser(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) -> sending Self {
        Self(shape: shape, kind: kind, limits: limits)
    }

    package init(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) {
        self.kind = kind
        self.limits = limits
        levels = ShapeLevel.levels(of: shape)
        members = levels.map { VerboseMembers($0) }
    }

    package mutating func feed(_ chunk: [UInt8]) {
        if buffer.isEmpty { buffer = chunk } else { buffer.append(contentsOf: chunk) }
    }

    /// - Parameter isEnd: Whether no more bytes will come.
    package mutating func advance(isEnd: Bool) throws(FormatError) -> PayloadStep {
        if phase == .end { return try finish(isEnd: isEnd) }
        guard isEnd || buffer.count >= wanted else { return .needsBytes }
        let block = try parse(isEnd: isEnd)
        guard buffer.count <= limits.entityBytes else {
            throw FormatError("An entity is longer than the limit of \(limits.entityBytes) bytes.", offset: offset)
        }
        if let block { return .block(block) }
        return phase == .end ? try finish(isEnd: isEnd) : .needsBytes
    }

    private mutating func finish(isEnd: Bool) throws(FormatError) -> PayloadStep {
        if let stray = buffer.firstIndex(where: { $0 > 0x20 }) {
            throw FormatError("Something follows the payload.", offset: offset + stray)
        }
        offset += buffer.count
        buffer = []
        return isEnd ? .end : .needsBytes
    }

    private mutating func parse(isEnd: Bool) throws(FormatError) -> RowBlock? {
        let bytes = buffer
        var position = 0
        let (parser, fault) = bytes.withUnsafeBufferPointer { pointer -> (Outcome, JSONFault?) in
            var parser = VerboseRowParser(
                ByteCursor(pointer, at: 0), levels: levels, members: members, limits: limits)
            parser.composer.noted = noted
            let fault = run(&parser, position: &position)
            return (Outcome(parser, hasFailed: fault.map { $0.reason != .incomplete } ?? false), fault)
        }
        members = parser.members
        noted = parser.noted
        if let fault, fault.reason != .incomplete || isEnd { throw error(fault, parser: parser, bytes: bytes) }
        buffer.removeFirst(position)
        offset += position
        wanted = max(Self.leastBytes, buffer.count * 2)
        var block = parser.block
        takeInformation(into: &block)
        let isBare = block.isEmpty && block.count == nil && block.nextLink == nil && block.deltaLink == nil
        return isBare ? nil : block
    }

    /// What is kept of a parser when its bytes are gone.
    private struct Outcome {
        var block: RowBlock
        var members: [VerboseMembers]
        var member: String
        var type: EdmTypeReference?
        var advice: String
        /// Whether reading stopped at the value of a property.
        var isOfValue: Bool
        var noted: [String]
        /// In which reading stopped.
        var entity: String?

        init(_ parser: VerboseRowParser, hasFailed: Bool) {
            block = parser.composer.block
            members = parser.members
            noted = parser.composer.noted
            (member, type, advice) = (parser.member, parser.type, parser.advice)
            isOfValue = parser.isOfValue
            entity = hasFailed ? parser.faulty : nil
        }
    }

    private mutating func takeInformation(into block: inout RowBlock) {
        if !sentCount, let count {
            block.count = count
            sentCount = true
        }
        guard phase == .end else { return }
        (block.nextLink, block.deltaLink) = (nextLink, deltaLink)
        (nextLink, deltaLink) = (nil, nil)
    }

    /// Reads units until the bytes or the payload end; `position` is behind the last complete one.
    private mutating func run(_ parser: inout VerboseRowParser, position: inout Int) -> JSONFault? {
        do throws(JSONFault) {
            while phase != .end {
                try step(&parser)
                position = parser.cursor.position
            }
            return nil
        } catch {
            return error
        }
    }

    private func error(_ fault: JSONFault, parser: Outcome, bytes: [UInt8]) -> FormatError {
        let place = fault.reason == .incomplete ? bytes.count : fault.offset
        var error = FormatError(fault.message, offset: offset + place)
        switch fault.reason {
        case .type where parser.type != nil:
            (error.property, error.isOfValue) = (parser.member, parser.isOfValue)
            let text = ValueText.cut(bytes.dropFirst(fault.offset).prefix(ValueText.longest))
            error.message =
                "The value of \(parser.member) is not of type \(parser.type?.description ?? ""): "
                + "\(text).\(parser.advice)"
        case .type: error.message = "The payload has another value where an entity is expected."
        case .lateType:
            error.property = parser.member
            error.message = RowComposer.lateType(parser.member)
        case .noValue: error.message = "The payload has no “d” or “results” with entities."
        case .service:
            error.service = JSONPayload.error(bytes)
            error.message += error.service.map { " \($0.message)" } ?? ""
        default: break
        }
        if let entity = parser.entity {
            error.entity = entity
            error.message = "\(entity): \(error.message)"
        }
        return error
    }
}
