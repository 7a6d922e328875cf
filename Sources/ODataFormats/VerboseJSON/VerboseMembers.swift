import ODataModel

/// What the member names of one shape's entities stand for.
///
/// Entities of one collection mostly have the same members in the same order, so names are compared with the one that
/// followed last time.
struct VerboseMembers {
    enum Meaning: Equatable {
        case metadata
        /// `@odata.context` or `odata.metadata`, which reports a removed entity.
        case context
        case control(LightControl)
        case property(Int)
        case stream(String)
        case child(Int)
        /// A dynamic property of an open type.
        case dynamic
        case unknown
        /// What a closed type does not have.
        case undeclared
    }

    struct Entry {
        /// In ``VerboseMembers/names``, with the closing quote.
        var start: Int
        var length: Int
        var meaning: Meaning
        var name: String
    }

    /// Names beyond this number are looked up each time, so that a payload cannot fill the memory.
    private static let maximum = 2048

    private let level: ShapeLevel
    private(set) var entries: [Entry] = []
    private var names: [UInt8] = []
    private var known: [String: Int] = [:]

    init(_ level: ShapeLevel) {
        self.level = level
    }

    /// The entry at `position` if its name, with the closing quote, is at the cursor, which then is behind it.
    @inline(__always)
    func take(_ position: Int, _ cursor: inout ByteCursor) -> Bool {
        guard position < entries.count else { return false }
        let entry = entries[position]
        guard cursor.position + entry.length <= cursor.bytes.count else { return false }
        let isEqual = names.withUnsafeBufferPointer { names in
            for index in 0..<entry.length where names[entry.start + index] != cursor.bytes[cursor.position + index] {
                return false
            }
            return true
        }
        if isEqual { cursor.position += entry.length }
        return isEqual
    }

    /// The entry of `name` and its position; that is the number of entries if it was not kept.
    mutating func entry(named name: String) -> (entry: Entry, position: Int) {
        if let position = known[name] { return (entries[position], position) }
        let entry = Entry(start: names.count, length: name.utf8.count + 1, meaning: meaning(of: name), name: name)
        guard entries.count < Self.maximum, !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
            return (entry, entries.count)
        }
        names.append(contentsOf: name.utf8)
        names.append(UInt8(ascii: "\""))
        entries.append(entry)
        known[name] = entries.count - 1
        return (entry, entries.count - 1)
    }

    private func meaning(of name: String) -> Meaning {
        if name == "__metadata" { return .metadata }
        if name == "@odata.context" || name == "odata.metadata" { return .context }
        if let control = LightControl(name, level: level) { return .control(control) }
        if let slot = level.shape.slot(of: name) { return .property(slot) }
        if let child = level.shape.child(of: name) { return .child(child) }
        if level.streams.contains(name) { return .stream(name) }
        let isDeclared = level.shape.types.contains {
            $0.property(named: name) != nil || $0.navigationProperty(named: name) != nil
        }
        guard !isDeclared else { return .unknown }
        if level.shape.dynamicSlot != nil { return .dynamic }
        let isPlain = name.first?.isLetter == true && !name.contains("@")
        return isPlain && !level.shape.types.contains(where: \.isOpen) ? .undeclared : .unknown
    }
}
