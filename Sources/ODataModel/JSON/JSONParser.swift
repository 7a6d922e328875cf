/// Parses JSON text into a tree.
///
/// Offsets are indices of the slice given, so that a part of a larger text gives offsets into that.
package struct JSONParser {
    private let bytes: ArraySlice<UInt8>
    private let maxDepth: Int
    /// How many values may still come: a tree takes many times the memory of its text.
    private var budget: Int
    private var position: Int

    /// Parses `bytes`, which hold one value and nothing else.
    package static func parse(
        _ bytes: ArraySlice<UInt8>, maxDepth: Int = 100, maxValues: Int = 2_000_000
    ) throws(JSONError) -> JSONNode {
        var parser = JSONParser(bytes, maxDepth: maxDepth, maxValues: maxValues)
        parser.skipByteOrderMark()
        let node = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.endIndex else {
            throw JSONError("Something follows the JSON value.", offset: parser.position)
        }
        return node
    }

    private init(_ bytes: ArraySlice<UInt8>, maxDepth: Int, maxValues: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
        budget = maxValues
        position = bytes.startIndex
    }

    private mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
    }

    private var current: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard consume(character) else { throw unexpected("“\(character)”") }
    }

    private func unexpected(_ wanted: String) -> JSONError {
        guard let byte = current else {
            return JSONError("The text ends where \(wanted) is expected.", offset: position)
        }
        let found = byte > 0x20 && byte < 0x7F ? "“\(Unicode.Scalar(byte))”" : "byte \(byte)"
        return JSONError("\(wanted) is expected, not \(found).", offset: position)
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONNode {
        guard depth < maxDepth else { throw JSONError("The JSON is nested too deeply.", offset: position) }
        budget -= 1
        guard budget >= 0 else { throw JSONError("The JSON has too many values.", offset: position) }
        skipSpace()
        let start = position
        let content: JSONNode.Content
        switch current {
        case UInt8(ascii: "{"): content = .object(try members(depth: depth))
        case UInt8(ascii: "["): content = .array(try elements(depth: depth))
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "t"): content = try word("true", .boolean(true))
        case UInt8(ascii: "f"): content = try word("false", .boolean(false))
        case UInt8(ascii: "n"): content = try word("null", .null)
        default: content = .number(try number())
        }
        return JSONNode(content: content, range: start..<position)
    }

    private mutating func word(_ word: String, _ content: JSONNode.Content) throws(JSONError) -> JSONNode.Content {
        guard bytes[position...].starts(with: word.utf8) else { throw unexpected("a value") }
        position += word.utf8.count
        return content
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        position += 1
        skipSpace()
        if consume("}") { return members }
        repeat {
            skipSpace()
            let offset = position
            guard current == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
            let name = try string()
            skipSpace()
            try expect(":")
            members.append(.init(name: name, offset: offset, node: try value(depth: depth + 1)))
            skipSpace()
        } while consume(",")
        try expect("}")
        try checkNames(of: members)
        return members
    }

    private func checkNames(of members: [JSONNode.Member]) throws(JSONError) {
        guard members.count > 1 else { return }
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            throw JSONError("The member \(member.name.prefix(80)) is given twice.", offset: member.offset)
        }
    }

    private mutating func elements(depth: Int) throws(JSONError) -> [JSONNode] {
        var elements: [JSONNode] = []
        position += 1
        skipSpace()
        if consume("]") { return elements }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while consume(",")
        try expect("]")
        return elements
    }

    private mutating func number() throws(JSONError) -> String {
        let start = position
        _ = consume("-")
        let whole = try digits()
        guard whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else {
            throw JSONError("A number does not start with zero.", offset: start)
        }
        if consume(".") { _ = try digits() }
        if consume("e") || consume("E") {
            if !consume("-") { _ = consume("+") }
            _ = try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) -> Int {
        let start = position
        while let byte = current, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw unexpected(start == bytes.startIndex ? "a value" : "a value or digit") }
        return position - start
    }

    private mutating func string() throws(JSONError) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw JSONError("A string contains a control character.", offset: position) }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &text)
            } else {
                text.append(byte)
                position += 1
            }
        }
        guard consume("\"") else { throw JSONError("A string has no end.", offset: start) }
        guard let string = String(validating: text, as: UTF8.self) else {
            throw JSONError("A string is not UTF-8.", offset: start)
        }
        return string
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        let start = position
        do throws(JSONEscape.Fault) {
            let escape = try JSONEscape { [bytes] in start + $0 < bytes.endIndex ? bytes[start + $0] : nil }
            escape.append(to: &text)
            position += escape.length
        } catch {
            position += error.offset
            switch error.reason {
            case .escape where current == nil: throw unexpected("an escaped character")
            case .escape: throw JSONError("There is no such escape.", offset: start)
            case .digit: throw unexpected("a hexadecimal digit")
            case .surrogate: throw JSONError("A surrogate has no partner.", offset: start)
            }
        }
    }
}
