import ODataModel
import ODataQuery

/// The end of a page: the order values of its last row. The content of `$skiptoken`, opaque to clients.
package struct PageToken: Sendable, Hashable {
    package var values: [SQLBinding]
    /// The number of rows of `$top` that remain.
    package var remaining: Int?
    /// Identifies the order that the values belong to.
    package var order: UInt32

    package init(values: [SQLBinding], remaining: Int?, order: UInt32) {
        self.values = values
        self.remaining = remaining
        self.order = order
    }

    private static let version: UInt8 = 1

    /// base64url without padding.
    package var text: String {
        var body: [UInt8] = [Self.version]
        body.append(integer: Int64(order))
        body.append(integer: Int64(remaining ?? -1))
        for value in values { body.append(value) }
        let sum = Self.hash(body)
        return EdmValue.base64URL((0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) } + body)
    }

    /// - Throws: ``QueryError`` of code `syntax` if `text` is not a token that ``text`` made.
    package init(_ text: String) throws {
        guard let bytes = EdmValue.bytes(base64: text), bytes.count > 5, bytes[4] == Self.version else {
            throw Self.unknown
        }
        let sum = bytes[..<4].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard sum == Self.hash(bytes[4...]) else { throw Self.unknown }
        var rest = bytes[5...]
        guard let order = rest.takeInteger(), let remaining = rest.takeInteger() else { throw Self.unknown }
        self.order = UInt32(truncatingIfNeeded: order)
        self.remaining = remaining < 0 ? nil : Int(remaining)
        values = []
        while !rest.isEmpty {
            guard let value = rest.takeBinding() else { throw Self.unknown }
            values.append(value)
        }
    }

    package static let unknown = QueryError(
        .syntax, "The $skiptoken does not belong to this query: read again from the start.")

    /// FNV-1a.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}

extension [UInt8] {
    fileprivate mutating func append(integer: Int64) {
        append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: integer >> (8 * Int64($0))) })
    }

    fileprivate mutating func append(_ value: SQLBinding) {
        switch value {
        case .null: append(0)
        case .integer(let value):
            append(1)
            append(integer: value)
        case .real(let value):
            append(2)
            append(integer: Int64(bitPattern: value.bitPattern))
        case .text(let text): append(tag: 3, bytes: Array(text.utf8))
        case .blob(let bytes): append(tag: 4, bytes: bytes)
        }
    }

    private mutating func append(tag: UInt8, bytes: [UInt8]) {
        append(tag)
        append(integer: Int64(bytes.count))
        append(contentsOf: bytes)
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func takeInteger() -> Int64? {
        guard count >= 8 else { return nil }
        let value = prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self = dropFirst(8)
        return Int64(bitPattern: value)
    }

    fileprivate mutating func takeBinding() -> SQLBinding? {
        guard let tag = popFirst() else { return nil }
        switch tag {
        case 0: return .null
        case 1: return takeInteger().map(SQLBinding.integer)
        case 2: return takeInteger().map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
        case 3, 4:
            guard let length = takeInteger(), length >= 0, length <= count else { return nil }
            let bytes = prefix(Int(length))
            self = dropFirst(Int(length))
            return tag == 3 ? .text(String(decoding: bytes, as: UTF8.self)) : .blob(Array(bytes))
        default: return nil
        }
    }
}
