import ODataModel

/// What the member names of entities stand for, for one shape and all it expands.
///
/// Objects of one collection mostly have the same members in the same order. So each entry remembers which one followed
/// it last time: its name is compared first, byte for byte.
struct MemberTable {
    /// What to do with the value of a member.
    enum Action: UInt8 {
        case skip
        /// Read into slot ``Entry/index``.
        case property
        /// Read as the entities of child ``Entry/index``.
        case child
        /// Read as an object whose members are slots of the same row: the level ``Entry/index``.
        case group
        /// Kept as it is for ``RowShape/dynamicSlot``.
        case dynamic
        /// What a closed type does not have: reported, then ignored.
        case undeclared
        case childCount, childNextLink
        /// `Items@delta`: what changed among the entities of child ``Entry/index``.
        case childDelta
        /// `Products@odata.navigationLink` in a row of a `$crossjoin`.
        case childLink
        case id, etag, editLink, type, context, removed
        /// `@OfflineStore.isLocal`: an instance annotation, the one ``MemberTable/place(ofAnnotation:)`` knows by
        /// ``Entry/index``.
        case annotation
        case mediaReadLink, mediaEditLink, mediaContentType, mediaEtag
        /// Of the stream property ``Entry/index`` of its shape.
        case streamReadLink, streamEditLink, streamContentType, streamEtag
        /// `$value`, and the content of the stream property ``Entry/index``.
        case mediaContent, streamContent
        /// `error` or `value` where an entity is expected.
        case error, value
    }

    /// How a property's value is read.
    enum Kind: UInt8 {
        case string, boolean, byte, sByte, int16, int32, int64, double, decimal, guid, date, dateTimeOffset, timeOfDay
        case duration, enumeration, binary, object, array
        /// Any value, as it is.
        case untyped
        case geo
    }

    struct Entry {
        /// In ``MemberTable/names``, with the closing quote and the colon; a length of -1 never matches.
        var nameStart: Int32
        var nameLength: Int32
        /// The entry that followed last time.
        var next: Int32
        var shape: Int32
        var index: Int32
        var action: Action
        var kind: Kind
        /// The first eight bytes of the name, or all of them where there are fewer.
        var head: UInt64 = 0
        var headMask: UInt64 = 0
    }

    /// One of the shapes.
    struct Level {
        var shape: RowShape
        /// The entry that stands for the start of an object.
        var first: Int32
        /// The slots of an entity of which nothing is known yet.
        var absent: [RowSlot]
        /// Positions in ``MemberTable/levels``.
        var children: [Int]
        var streams: [String]
        /// The last type control information, and what it stands for.
        var lastType: [UInt8] = []
        var lastTypeIndex: UInt16 = 0
        /// For the members of an object that slots are nested in: their slots.
        var slots: [String: Int]?
        /// Objects that slots are nested in, by name: positions in ``MemberTable/levels``.
        var groups: [String: Int] = [:]
        /// Where members that nothing is known of are dynamic properties.
        var isOpen = false
    }

    /// Names beyond this number are looked up again each time, so that a payload cannot fill the memory.
    private static let maximum = 4096

    var levels: [Level] = []
    private(set) var entries: [Entry] = []
    private(set) var names: [UInt8] = []
    private var known: [Key: Int32] = [:]
    /// The levels of ``RowShape/related`` of the outermost shape, with the names that lead to their entities: of a set,
    /// and for contained entities of navigation properties.
    private(set) var relatedLevels: [(level: Int, path: [String])] = []
    private var rootSet: String?
    /// Whether the payload has declared that it is not a delta.
    var isResult = false
    /// The terms of instance annotations of entities, as far as rows have room for them.
    private(set) var annotationTerms: [String] = []
    /// The terms of all annotations, with or without such values.
    private var terms: [(name: String, place: Int?)] = []
    private var termPositions: [String: Int] = [:]
    /// The annotations of earlier blocks.
    var diagnostics: Set<String> = []
    /// The members that are not declared and that were reported since the last block.
    var told: [Int32] = []
    private let kind: PayloadKind

    private struct Key: Hashable {
        var shape: Int32
        var name: String
    }

    init(shape: RowShape, kind: PayloadKind) {
        self.kind = kind
        // The entry for names beyond the maximum.
        entries.append(Entry(nameStart: 0, nameLength: -1, next: 0, shape: 0, index: 0, action: .skip, kind: .string))
        _ = add(shape)
        rootSet = shape.entitySet?.name
        relatedLevels = related(below: 0, path: rootSet.map { [$0] } ?? [])
    }

    private func related(below level: Int, path: [String]) -> [(level: Int, path: [String])] {
        zip(levels[level].children, levels[level].shape.children).flatMap { position, child in
            let names = child.navigation.name.split(separator: "/").map(String.init)
            let set = child.navigation.containsTarget ? nil : child.shape.entitySet.map { [$0.name] }
            let below = set ?? path + names
            return [(position, below)] + related(below: position, path: below)
        }
    }

    /// What the context URL of an entity in a collection says of it.
    enum Origin {
        /// It is one of those that were asked for.
        case own
        /// It is of another set, at this position in ``relatedLevels``; -1 for one that the shape does not lead to.
        case related(Int)
    }

    /// Reports entities of other sets, `http://host/service/$metadata#Items/$entity`, from those that were asked for:
    /// in a result these may be of any set.
    func origin(context: String) -> Origin {
        let path = PayloadContext(context).path
        guard kind == .collection, !isResult, let rootSet, !path.isEmpty, path != [rootSet] else { return .own }
        if let position = relatedLevels.firstIndex(where: { $0.path == path }) { return .related(position) }
        return levels[0].shape.model.knows(path) ? .related(-1) : .own
    }

    /// A table without shapes, to stand in where the real one is in use.
    static let none = MemberTable()

    private init() { kind = .entity }

    private mutating func add(_ shape: RowShape) -> Int {
        let streams = shape.types.flatMap { $0.properties.filter(\.isStream).map(\.name) }
        let level = addLevel(shape, streams: streams)
        levels[level].isOpen = shape.dynamicSlot != nil && shape.types.contains(where: \.isOpen)
        for child in shape.children {
            let position = add(child.shape)
            levels[level].children.append(position)
        }
        for slot in shape.properties.indices where shape.properties[slot].name.contains("/") {
            addGroup(of: slot, path: shape.path(of: slot), in: level)
        }
        return level
    }

    private mutating func addLevel(_ shape: RowShape, streams: [String]) -> Int {
        let first = Int32(entries.count)
        entries.append(
            Entry(
                nameStart: 0, nameLength: -1, next: 0, shape: Int32(levels.count), index: 0, action: .skip,
                kind: .string))
        levels.append(
            Level(
                shape: shape, first: first, absent: Array(repeating: .absent, count: shape.properties.count),
                children: [], streams: streams))
        return levels.count - 1
    }

    /// Makes the levels on the way to a nested slot.
    private mutating func addGroup(of slot: Int, path: [String], in level: Int) {
        var level = level
        for name in path.dropLast() {
            if let group = levels[level].groups[name] {
                level = group
            } else {
                let group = addLevel(levels[level].shape, streams: [])
                levels[group].slots = [:]
                levels[level].groups[name] = group
                level = group
            }
        }
        if let name = path.last, levels[level].slots != nil { levels[level].slots?[name] = slot }
    }

    /// The name of the member that `entry` stands for.
    func name(of entry: Int32) -> String? {
        let entry = entries[Int(entry)]
        guard entry.nameLength > 0 else { return nil }
        return String(
            decoding: names[Int(entry.nameStart)..<Int(entry.nameStart + entry.nameLength - 2)], as: UTF8.self)
    }

    /// Repeats what was reported: the type control information of each level, what is not declared.
    mutating func forget() {
        for level in levels.indices { levels[level].lastType = [] }
        for entry in told { entries[Int(entry)].action = .undeclared }
        told = []
    }

    /// Ignores an undeclared member that was reported.
    mutating func setTold(_ entry: Int32) {
        entries[Int(entry)].action = .skip
        told.append(entry)
    }

    @inline(__always)
    mutating func setNext(of entry: Int32, to next: Int32) { entries[Int(entry)].next = next }

    /// The entry for `name`, made if it is new.
    mutating func entry(named name: String, level: Int) -> Int32 {
        let key = Key(shape: Int32(level), name: name)
        if let entry = known[key] { return entry }
        var (action, index, kind) = meaning(of: name, level: levels[level], isRoot: level == 0)
        if let term = Self.annotationTerm(name), action == .skip, let position = position(ofTerm: term) {
            (action, index) = (.annotation, position)
        }
        var entry = Entry(
            nameStart: Int32(names.count), nameLength: -1, next: 0, shape: key.shape, index: Int32(index),
            action: action, kind: kind)
        guard entries.count < Self.maximum else {
            entries[0] = entry
            return 0
        }
        names.append(contentsOf: name.utf8)
        names.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
        entry.nameLength = Int32(name.utf8.count + 2)
        for (index, byte) in names.suffix(Int(entry.nameLength)).prefix(8).enumerated() {
            entry.head |= UInt64(byte) << UInt64(index * 8)
            entry.headMask |= 0xFF << UInt64(index * 8)
        }
        entries.append(entry)
        known[key] = Int32(entries.count - 1)
        return Int32(entries.count - 1)
    }

    /// `OfflineStore.isLocal` of `@OfflineStore.isLocal`: control information has no namespace but `odata`.
    private static func annotationTerm(_ name: String) -> String? {
        guard name.hasPrefix("@"), !name.hasPrefix("@odata."), name.contains(".") else { return nil }
        return String(name.dropFirst())
    }

    private mutating func position(ofTerm term: String) -> Int? {
        if let known = termPositions[term] { return known }
        guard terms.count < Self.maximum else { return nil }
        terms.append((term, nil))
        termPositions[term] = terms.count - 1
        return terms.count - 1
    }

    /// The place of the annotation `index` in ``annotationTerms``, to be asked for where it has a value that rows keep;
    /// nil if rows have no room for more.
    mutating func place(ofAnnotation index: Int) -> Int? {
        if let place = terms[index].place { return place }
        guard annotationTerms.count < RowHeader.annotationLimit else { return nil }
        annotationTerms.append(terms[index].name)
        terms[index].place = annotationTerms.count - 1
        return annotationTerms.count - 1
    }

    private func meaning(of name: String, level: Level, isRoot: Bool) -> (Action, Int, Kind) {
        if let slots = level.slots { return Self.nested(name, slots: slots, level: level) }
        if let slot = level.shape.slot(of: name), slot != level.shape.dynamicSlot {
            return (.property, slot, Self.kind(of: level.shape.properties[slot].type))
        }
        if let child = level.shape.child(of: name) { return (.child, child, .object) }
        if let group = level.groups[name] { return (.group, group, .object) }
        if let at = name.firstIndex(of: "@") {
            var term = name[name.index(after: at)...]
            if term.hasPrefix("odata.") { term = term.dropFirst("odata.".count) }
            return Self.control(String(term), on: String(name[..<at]), level: level)
        }
        if name == "$value" { return (.mediaContent, 0, .string) }
        if let stream = level.streams.firstIndex(of: name) { return (.streamContent, stream, .string) }
        if isRoot, kind == .entity, level.shape.type.property(named: name) == nil, !level.shape.type.isOpen {
            if name == "error" { return (.error, 0, .object) }
            if name == "value" { return (.value, 0, .object) }
        }
        guard !Self.isDeclared(name, in: level.shape) else { return (.skip, 0, .string) }
        if level.isOpen { return (.dynamic, 0, .string) }
        // Operations begin with #, control information of other versions with __ or odata.
        let isPlain = name.first?.isLetter == true && !name.hasPrefix("odata.")
        return (isPlain && !level.shape.types.contains(where: \.isOpen) ? .undeclared : .skip, 0, .string)
    }

    private static func nested(_ name: String, slots: [String: Int], level: Level) -> (Action, Int, Kind) {
        if let slot = slots[name] { return (.property, slot, kind(of: level.shape.properties[slot].type)) }
        return level.groups[name].map { (.group, $0, .object) } ?? (.skip, 0, .string)
    }

    private static func isDeclared(_ name: String, in shape: RowShape) -> Bool {
        shape.types.contains { $0.property(named: name) != nil || $0.navigationProperty(named: name) != nil }
    }

    private static func control(_ term: String, on name: String, level: Level) -> (Action, Int, Kind) {
        if name.isEmpty {
            let action: Action =
                switch term {
                case "id": .id
                case "etag": .etag
                case "editLink": .editLink
                case "type": .type
                case "context": .context
                case "removed": .removed
                case "mediaReadLink": .mediaReadLink
                case "mediaEditLink": .mediaEditLink
                case "mediaContentType": .mediaContentType
                case "mediaEtag": .mediaEtag
                default: .skip
                }
            return (action, 0, .string)
        }
        if let child = level.shape.child(of: name) {
            let action: Action =
                switch term {
                case "count": .childCount
                case "nextLink": .childNextLink
                case "delta": .childDelta
                case "navigationLink" where level.shape.children[child].isLink: .childLink
                default: .skip
                }
            return (action, child, .string)
        }
        guard let stream = level.streams.firstIndex(of: name) else {
            let isDynamic = level.isOpen && term == "type" && !isDeclared(name, in: level.shape)
            return (isDynamic ? .dynamic : .skip, 0, .string)
        }
        let action: Action =
            switch term {
            case "mediaReadLink": .streamReadLink
            case "mediaEditLink": .streamEditLink
            case "mediaContentType": .streamContentType
            case "mediaEtag": .streamEtag
            default: .skip
            }
        return (action, stream, .string)
    }

    private static func kind(of type: EdmTypeReference) -> Kind {
        switch type {
        case .collection: .array
        case .complex, .entity: .object
        case .enumeration: .enumeration
        case .primitive(let primitive):
            switch primitive {
            case .boolean: .boolean
            case .byte: .byte
            case .sByte: .sByte
            case .int16: .int16
            case .int32: .int32
            case .int64: .int64
            case .double, .single: .double
            case .decimal: .decimal
            case .guid: .guid
            case .date: .date
            case .dateTimeOffset: .dateTimeOffset
            case .timeOfDay: .timeOfDay
            case .duration: .duration
            case .binary: .binary
            case .string, .stream: .string
            case .untyped, .primitiveType: .untyped
            default: .geo
            }
        }
    }
}
