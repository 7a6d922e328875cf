import ODataMetadata
import ODataModel

/// Makes rows of the elements of a feed or entry.
struct AtomHandler: XMLHandler {
    /// What an open element is.
    enum Frame {
        case feed
        case entry
        /// Text that is appended to the buffer, and then used as ``TextUse`` says.
        case text(TextUse)
        /// A person whose parts are mapped to properties.
        case person(AtomTarget.Person)
        /// A link to what may be expanded: the child, or -1.
        case link(child: Int)
        case inline(child: Int)
        case content
        case properties
        /// A primitive property; the slot.
        case leaf(Int)
        /// A property that is said to be null; the slot.
        case null(Int)
        /// A complex property, a collection, or one that the shape has no slot for: the slot, or -1.
        case nested(Int)
        /// Something inside one.
        case member
        case geo(Int)
        case geoPart
        case error
        case skip
    }

    enum TextUse {
        case id
        case count
        case slot(Int)
        case errorCode
        case errorMessage
    }

    /// An entry that is being read.
    struct Entry {
        var row: Int
        var level: Int
        /// Where its text starts in the buffer.
        var start: Int
        var editLink = RowSpan.none
        var lastChild = -1
        var isOrdered = true
        /// The dynamic properties so far, as the members of a JSON object.
        var dynamic: [UInt8] = []
    }

    static let blockBytes = 64 * 1024

    let levels: [ShapeLevel]
    let kind: PayloadKind
    let limits: PayloadLimits
    var names = AtomNames()
    var composer = RowComposer()
    var frames: [Frame] = []
    var entries: [Entry] = []
    var bases: [String] = []
    /// What a name means in each level, by its number.
    var members: [[Member]]
    let targets: [AtomTargets]
    var nested = NestedValue()
    var geography = GeographyBuilder()
    /// Where the text of the open leaf starts in the buffer.
    var textStart = 0
    var ready: [RowBlock] = []
    var count: Int64?
    var sentCount = false
    var nextLink: String?
    var deltaLink: String?
    var serviceError: ServiceError?

    /// What a property element stands for.
    enum Member: Equatable {
        case unresolved
        case unknown
        case leaf(Int)
        case nested(Int)
        case geo(Int)
        /// A dynamic property of an open type.
        case dynamic
        /// What a closed type does not have.
        case undeclared
    }

    init(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) {
        levels = ShapeLevel.levels(of: shape)
        self.kind = kind
        self.limits = limits
        members = Array(repeating: [], count: levels.count)
        targets = levels.map { AtomTargets($0.shape) }
    }

    mutating func symbol(namespace: String, name: String) -> AtomName { names.add(namespace: namespace, name: name) }

    mutating func start(
        _ name: AtomName, _ attributes: XMLAttributes<AtomName>, at place: XMLPlace
    ) throws(FormatError) {
        guard let frame = frames.last else { return try root(name, attributes) }
        switch frame {
        case .properties: property(name, attributes)
        case .entry: try entryChild(name, attributes)
        case .feed: try feedChild(name, attributes)
        case .link(let child): linkChild(name, child: child)
        case .inline(let child): try inlineChild(name, attributes, child: child)
        case .content: contentChild(name)
        case .person(let person): personChild(name, person)
        case .nested, .member: try member(name, attributes)
        case .geo, .geoPart:
            geography.start(names.names[Int(name.number)], attributes.text(of: .unknown))
            frames.append(.geoPart)
        case .error: errorChild(name)
        case .leaf(let slot), .null(let slot):
            throw unexpected("the element \(names.names[Int(name.number)])", in: slot)
        case .text, .skip: frames.append(.skip)
        }
    }

    /// `<m:properties>`; what a service embeds beside them is not an entity.
    private mutating func contentChild(_ name: AtomName) {
        if name.tag == .properties { return frames.append(.properties) }
        note("The content of an entry is \(names.names[Int(name.number)]), not properties: it is ignored.")
        frames.append(.skip)
    }

    mutating func text(_ text: UnsafeBufferPointer<UInt8>) throws(FormatError) {
        switch frames.last {
        case .leaf, .text:
            composer.block.buffer.append(contentsOf: text)
            try checkBudget()
        case .nested, .member:
            do { try nested.text(text, model: levels[0].shape.model) } catch { throw inEntity(error) }
            guard nested.size <= limits.entityBytes else { throw tooLong }
        case .geo, .geoPart: geography.text(text)
        case .null(let slot) where text.contains { $0 > 0x20 }:
            throw unexpected("“\(String(decoding: text.prefix(40), as: UTF8.self))”", in: slot)
        case .properties where text.contains { $0 > 0x20 }:
            note("“\(String(decoding: text.prefix(40), as: UTF8.self).trimmed)” is between properties.")
        default: break
        }
    }

    mutating func end(_ name: AtomName, at place: XMLPlace) throws(FormatError) {
        guard let frame = frames.popLast() else { return }
        switch frame {
        case .leaf(let slot): try endLeaf(slot)
        case .text(let use): try endText(use)
        case .entry: try endEntry()
        case .feed: endFeed()
        case .nested(let slot): try endNested(slot)
        case .member: do { try nested.end(model: levels[0].shape.model) } catch { throw inEntity(error) }
        case .geo(let slot): try endGeography(slot)
        case .geoPart: geography.end()
        case .error:
            guard frames.isEmpty else { break }
            throw FormatError(
                "The payload holds an error instead of data. \(serviceError?.message ?? "")", service: serviceError)
        case .person, .link, .inline, .content, .properties, .null, .skip: break
        }
    }

    private mutating func root(_ name: AtomName, _ attributes: XMLAttributes<AtomName>) throws(FormatError) {
        switch (name.tag, kind) {
        case (.feed, .collection): beginFeed(attributes)
        case (.entry, .entity): beginEntry(attributes, level: 0, child: -1)
        case (.error, _):
            serviceError = ServiceError(code: "", message: "")
            frames.append(.error)
        case (.feed, .entity): throw FormatError("The payload holds a feed instead of an entry.")
        case (.entry, .collection): throw FormatError("The payload holds an entry instead of a feed.")
        default:
            throw FormatError("The XML is not Atom: its root is “\(names.names[Int(name.number)])”.")
        }
    }

    // MARK: Errors inside a success

    private mutating func errorChild(_ name: AtomName) {
        switch name.tag {
        case .code: beginText(.errorCode)
        case .message: beginText(.errorMessage)
        default: frames.append(.skip)
        }
    }

    mutating func beginText(_ use: TextUse) {
        textStart = composer.block.buffer.count
        frames.append(.text(use))
    }

    // MARK: Blocks

    var tooLong: FormatError {
        FormatError("An entity is longer than the limit of \(limits.entityBytes) bytes.")
    }

    private func checkBudget() throws(FormatError) {
        let start = entries.first?.start ?? textStart
        guard composer.block.buffer.count - start <= limits.entityBytes else { throw tooLong }
    }

    /// Puts the rows so far aside as a block.
    mutating func cut() {
        var block = RowBlock()
        swap(&block, &composer.block)
        if !sentCount, let count {
            block.count = count
            sentCount = true
        }
        ready.append(block)
    }

    /// Puts what is left aside, with the links.
    mutating func finish() throws(FormatError) {
        composer.block.nextLink = nextLink
        composer.block.deltaLink = deltaLink
        if !sentCount { composer.block.count = count }
        sentCount = true
        let block = composer.block
        if !block.isEmpty || block.count != nil || block.nextLink != nil || block.deltaLink != nil {
            ready.append(block)
        }
        composer.block = RowBlock()
    }

    mutating func takeReady() -> RowBlock? { ready.isEmpty ? nil : ready.removeFirst() }
}
