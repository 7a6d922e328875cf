/// Follows JSON text as it passes, to determine whether it is one whole document: by its strings and brackets.
struct JSONExtent {
    /// The brackets that close what is open.
    private var closing: [UInt8] = []
    private var isInString = false
    private var isEscaped = false
    private var hasBegun = false
    private var hasEnded = false
    private var isBroken = false

    /// The current or last string, if it is a member name of the two outermost objects.
    private var name: [UInt8] = []
    /// Whether the document names a next page.
    private(set) var hasNextLink = false

    /// Whether the bytes so far are a complete document.
    var isComplete: Bool { hasBegun && closing.isEmpty && !isInString && !isBroken }

    mutating func read(_ bytes: [UInt8]) {
        for byte in bytes where !isBroken { isInString ? readInString(byte) : read(byte) }
    }

    private mutating func readInString(_ byte: UInt8) {
        guard !isEscaped else {
            isEscaped = false
            return
        }
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        guard byte == UInt8(ascii: "\"") else {
            if closing.count <= 2, name.count < 20 { name.append(byte) }
            return
        }
        isInString = false
        hasEnded = closing.isEmpty
    }

    private mutating func read(_ byte: UInt8) {
        guard !" \t\r\n".utf8.contains(byte) else { return }
        isBroken = hasEnded
        hasBegun = true
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            name = []
        case UInt8(ascii: ":"):
            let names = closing.count == 1 ? ResponsePage.nextLinks : closing.count == 2 ? [ResponsePage.nextLink2] : []
            hasNextLink = hasNextLink || names.contains(String(decoding: name, as: UTF8.self))
        case UInt8(ascii: "{"): closing.append(UInt8(ascii: "}"))
        case UInt8(ascii: "["): closing.append(UInt8(ascii: "]"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            isBroken = hasEnded || closing.popLast() != byte
            hasEnded = closing.isEmpty
        default: break
        }
    }
}
