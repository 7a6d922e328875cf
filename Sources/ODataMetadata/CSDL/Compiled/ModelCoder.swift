import ODataModel

/// A value that a compiled model consists of.
protocol Coded {
    /// What is overwritten when a value is read.
    static var blank: Self { get }

    /// Writes all that the value consists of, or reads it: one list of parts for both.
    mutating func code(with coder: inout ModelCoder) throws
}

/// Writes values as bytes, or reads them.
///
///     count of strings, the strings: each its length and UTF-8
///     values: numbers in groups of 7 bits, the lowest first; strings as their positions
///
/// Each string is there once: most names come again and again.
struct ModelCoder {
    /// The bytes are not what was written.
    struct Damage: Error {}

    let isReading: Bool
    private var bytes: [UInt8]
    private var position = 0
    private var strings: [String] = []
    /// The primitive types that strings are names of, by the positions of the strings: finding a type by its name compares
    /// it with all names.
    private var primitiveTypes: [EdmPrimitiveType?] = []
    private var places: [String: Int] = [:]
    private var depth = 0

    /// More than a metadata document can have, and what small stacks have room for.
    private static let maximumDepth = 100

    /// The limit of values for which capacity is reserved before they are read.
    private static let reserve = 1024

    private init(reading bytes: [UInt8]) {
        isReading = true
        self.bytes = bytes
    }

    private init() {
        isReading = false
        bytes = []
    }

    static func bytes(of value: some Coded) throws -> [UInt8] {
        var coder = ModelCoder()
        var value = value
        try value.code(with: &coder)
        var table = ModelCoder()
        table.write(number: UInt64(coder.strings.count))
        for string in coder.strings {
            table.write(number: UInt64(string.utf8.count))
            table.bytes += string.utf8
        }
        return table.bytes + coder.bytes
    }

    /// - Throws: ``Damage``, whatever the bytes are.
    static func value<Value: Coded>(_: Value.Type, from bytes: [UInt8]) throws -> Value {
        var coder = ModelCoder(reading: bytes)
        try coder.readStrings()
        var value = Value.blank
        try value.code(with: &coder)
        guard coder.position == bytes.count else { throw Damage() }
        return value
    }

    private mutating func readStrings() throws {
        let count = try readCount()
        strings.reserveCapacity(min(count, Self.reserve))
        for _ in 0..<count {
            let length = try readCount()
            let text = bytes[position..<position + length]
            position += length
            guard let string = String(validating: text, as: UTF8.self) else { throw Damage() }
            strings.append(string)
        }
        primitiveTypes = Array(repeating: nil, count: strings.count)
    }

    /// A number of things of at least one byte each.
    private mutating func readCount() throws -> Int {
        let number = try readNumber()
        guard number <= UInt64(bytes.count - position) else { throw Damage() }
        return Int(number)
    }

    private mutating func readNumber() throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.count else { throw Damage() }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        throw Damage()
    }

    private mutating func write(number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

extension ModelCoder {
    /// For values that may hold values of their own kind.
    mutating func nested(_ body: (inout ModelCoder) throws -> Void) throws {
        guard depth < Self.maximumDepth else { throw Damage() }
        depth += 1
        try body(&self)
        depth -= 1
    }

    /// Which case of an enumeration follows.
    mutating func code(tag: Int) throws -> Int {
        guard isReading else {
            write(number: UInt64(tag))
            return tag
        }
        guard let tag = Int(exactly: try readNumber()) else { throw Damage() }
        return tag
    }

    mutating func code(_ value: inout Int64) throws {
        guard isReading else { return write(number: UInt64(bitPattern: value << 1 ^ value >> 63)) }
        let number = try readNumber()
        value = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func code(_ value: inout Int) throws {
        var number = Int64(value)
        try code(&number)
        guard let read = Int(exactly: number) else { throw Damage() }
        value = read
    }

    mutating func code(_ value: inout Bool) throws { value = try code(tag: value ? 1 : 0) == 1 }

    mutating func code(_ value: inout String) throws {
        guard isReading else {
            let place = places[value] ?? strings.count
            if place == strings.count {
                places[value] = place
                strings.append(value)
            }
            return write(number: UInt64(place))
        }
        value = strings[try readPlace()]
    }

    private mutating func readPlace() throws -> Int {
        let place = try readNumber()
        guard place < UInt64(strings.count) else { throw Damage() }
        return Int(place)
    }

    mutating func code(_ value: inout EdmPrimitiveType) throws {
        guard isReading else {
            var name = value.rawValue
            return try code(&name)
        }
        let place = try readPlace()
        guard let type = primitiveTypes[place] ?? EdmPrimitiveType(rawValue: strings[place]) else { throw Damage() }
        primitiveTypes[place] = type
        value = type
    }

    /// An enumeration by the text of its case.
    mutating func code<Value: RawRepresentable<String>>(_ value: inout Value) throws {
        var text = value.rawValue
        try code(&text)
        guard isReading else { return }
        guard let read = Value(rawValue: text) else { throw Damage() }
        value = read
    }

    mutating func code<Value: Coded>(_ value: inout Value) throws { try value.code(with: &self) }

    mutating func code<Value>(
        _ value: inout Value?, blank: Value, _ body: (inout ModelCoder, inout Value) throws -> Void
    ) throws {
        guard try code(tag: value == nil ? 0 : 1) == 1 else {
            value = nil
            return
        }
        var content = value ?? blank
        try body(&self, &content)
        value = content
    }

    mutating func code<Value: Coded>(_ value: inout Value?) throws {
        try code(&value, blank: .blank) { try $0.code(&$1) }
    }

    mutating func code(_ value: inout String?) throws { try code(&value, blank: "") { try $0.code(&$1) } }

    mutating func code(_ value: inout Int?) throws { try code(&value, blank: 0) { try $0.code(&$1) } }

    mutating func code(_ value: inout Bool?) throws { try code(&value, blank: false) { try $0.code(&$1) } }

    mutating func code<Value>(
        _ values: inout [Value], blank: Value, _ body: (inout ModelCoder, inout Value) throws -> Void
    ) throws {
        guard isReading else {
            write(number: UInt64(values.count))
            for var value in values { try body(&self, &value) }
            return
        }
        let count = try readCount()
        values = []
        values.reserveCapacity(min(count, Self.reserve))
        for index in 0..<count {
            // In its place: a value that is read elsewhere would be copied.
            values.append(blank)
            try body(&self, &values[index])
        }
    }

    mutating func code<Value: Coded>(_ values: inout [Value]) throws {
        try code(&values, blank: .blank) { try $0.code(&$1) }
    }

    mutating func code(_ values: inout [String]) throws { try code(&values, blank: "") { try $0.code(&$1) } }

    /// In the order of the keys.
    mutating func code(_ values: inout [String: String]) throws {
        var pairs = values.sorted { $0.key < $1.key }
        try code(&pairs, blank: ("", "")) { coder, pair in
            try coder.code(&pair.key)
            try coder.code(&pair.value)
        }
        if isReading { values = Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }) }
    }
}
