import CLibXML2

/// Where the scanner is in the document; valid while an event is handled.
@usableFromInline
package struct XMLPlace {
    @usableFromInline let context: xmlParserCtxtPtr

    @inlinable package init(_ context: xmlParserCtxtPtr) {
        self.context = context
    }

    /// From 1. For the start of an element it is the end of its tag.
    @inlinable package var line: Int { max(1, Int(xmlSAX2GetLineNumber(context))) }

    /// From 1.
    @inlinable package var column: Int { max(1, Int(xmlSAX2GetColumnNumber(context))) }

    /// Where the tag starts whose start is handled: its `<`. From 1, columns in characters.
    @inlinable package var start: (line: Int, column: Int) {
        guard let input = context.pointee.input, let base = input.pointee.base, let end = input.pointee.cur else {
            return (line, column)
        }
        var position = end
        var newlines = 0
        var characters = 0
        // One loop, as every element pays for it.
        while position > base {
            position -= 1
            let byte = position.pointee
            if byte == UInt8(ascii: "\n") { newlines += 1 }
            if byte & 0xC0 != 0x80 { characters += 1 }
            if byte == UInt8(ascii: "<") { break }
        }
        guard newlines > 0 else { return (line, max(1, column - characters)) }
        var lineStart = position
        while lineStart > base, (lineStart - 1).pointee != UInt8(ascii: "\n") { lineStart -= 1 }
        let before = UnsafeBufferPointer(start: lineStart, count: position - lineStart).count { $0 & 0xC0 != 0x80 }
        return (max(1, line - newlines), before + 1)
    }

    /// - Parameter property: The name of the property at fault.
    @inlinable package func error(_ message: String, property: String? = nil) -> FormatError {
        var error = FormatError(message, property: property)
        (error.line, error.column) = (line, column)
        return error
    }
}
