/// A JSON value as a tree, for small messages; pages of entities are read without one.
///
/// [RFC 8259]
package struct JSONNode: Sendable {
    package indirect enum Content: Sendable {
        case null
        case boolean(Bool)
        /// The digits as written.
        case number(String)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    package struct Member: Sendable {
        package var name: String
        /// Where the name starts, in bytes.
        package var offset: Int
        package var node: JSONNode
    }

    package var content: Content
    /// Where the value is in the bytes that were parsed.
    package var range: Range<Int>

    package var offset: Int { range.lowerBound }

    package var members: [Member]? {
        if case .object(let members) = content { members } else { nil }
    }

    package var elements: [JSONNode]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    package var string: String? {
        if case .string(let text) = content { text } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = content { value } else { nil }
    }

    package var integer: Int64? {
        if case .number(let digits) = content { Int64(digits) } else { nil }
    }

    package var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// The value of the first member with this name.
    package subscript(name: String) -> JSONNode? {
        members?.first { $0.name == name }?.node
    }

    /// The value of the control information `@odata.name`, or `@name` as OData 4.01 spells it.
    package func control(_ name: String) -> JSONNode? {
        self["@odata.\(name)"] ?? self["@\(name)"]
    }

    /// The value of the control information `Name@odata.type` of the named member.
    package func control(_ name: String, of member: String) -> JSONNode? {
        self["\(member)@odata.\(name)"] ?? self["\(member)@\(name)"]
    }

    /// `an object`, for messages.
    package var kind: String {
        switch content {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Where and why bytes are not the JSON that was expected.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String
    /// In bytes from the start.
    package var offset: Int

    package init(_ message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }

    package var description: String { "\(message) (at byte \(offset))" }
}
