/// Numbers of symbols by the addresses of names.
///
/// It is not generic, so that a look-up costs no look-up of types.
///
/// The parser keeps each distinct name once, so that equal names of one document have one address.
@usableFromInline
struct XMLNameCache {
    @usableFromInline typealias Address = UnsafePointer<UInt8>

    @usableFromInline
    struct Entry {
        @usableFromInline var name: Address
        @usableFromInline var namespace: Address?
        @usableFromInline var symbol: Int

        @inlinable
        init(name: Address, namespace: Address?, symbol: Int) {
            (self.name, self.namespace, self.symbol) = (name, namespace, symbol)
        }
    }

    /// Names beyond this number are resolved each time, so that a document cannot fill the memory.
    @inlinable static var maximum: Int { 4096 }

    @usableFromInline var entries: [Entry?] = Array(repeating: nil, count: 256)
    @usableFromInline var count = 0

    @inlinable init() {}

    @inlinable subscript(name: Address, namespace: Address?) -> Int? {
        var position = Self.hash(name, namespace) & (entries.count - 1)
        while let entry = entries[position] {
            if entry.name == name, entry.namespace == namespace { return entry.symbol }
            position = (position + 1) & (entries.count - 1)
        }
        return nil
    }

    /// Adds what is not there.
    ///
    /// - Returns: Whether there was space.
    @inlinable mutating func add(_ symbol: Int, name: Address, namespace: Address?) -> Bool {
        guard count < Self.maximum else { return false }
        if count * 2 >= entries.count { grow() }
        insert(Entry(name: name, namespace: namespace, symbol: symbol))
        count += 1
        return true
    }

    @inlinable mutating func insert(_ entry: Entry) {
        var position = Self.hash(entry.name, entry.namespace) & (entries.count - 1)
        while entries[position] != nil { position = (position + 1) & (entries.count - 1) }
        entries[position] = entry
    }

    @inlinable mutating func grow() {
        let old = entries
        entries = Array(repeating: nil, count: old.count * 2)
        for case let entry? in old { insert(entry) }
    }

    @inlinable static func hash(_ name: Address, _ namespace: Address?) -> Int {
        let mixed = UInt(bitPattern: name) ^ (UInt(bitPattern: namespace) &* 31)
        return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}
