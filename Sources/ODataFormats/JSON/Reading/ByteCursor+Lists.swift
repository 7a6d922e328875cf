extension ByteCursor {
    /// Takes an object, whose opening brace is here; `take` takes the value of each member.
    mutating func eachMember(
        depth: Int, _ take: (_ name: String, _ nameStart: Int, inout ByteCursor) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        guard depth > 0 else { throw JSONFault(reason: .tooDeep, offset: position) }
        try expect("{")
        if try next() == UInt8(ascii: "}") {
            position += 1
            return
        }
        repeat {
            try expect("\"")
            let start = position - 1
            let span = try string()
            var text: [UInt8] = []
            if span.hasEscapes { try appendUnescaped(span, to: &text) }
            let name = span.hasEscapes ? String(decoding: text, as: UTF8.self) : self.text(span.range)
            try expect(":")
            try take(name, start, &self)
        } while try hasMore(before: "}")
    }

    /// Takes an array, whose opening bracket is here; `take` takes each element, which starts at the position.
    mutating func eachElement(_ take: (inout ByteCursor) throws(JSONFault) -> Void) throws(JSONFault) {
        try expect("[")
        if try next() == UInt8(ascii: "]") {
            position += 1
            return
        }
        repeat {
            _ = try next()
            try take(&self)
        } while try hasMore(before: "]")
    }

    /// Whether anything but white space follows.
    var hasMoreThanSpace: Bool { bytes[position...].contains { $0 > 0x20 } }
}
