import ODataModel

/// Writes JSON with one member per line.
struct IndentedJSON {
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    /// Whether something is before in the object or array that is open.
    private var needsComma = false
    /// Whether a name was written, whose value follows.
    private var follows = false
    /// The names of the members of the objects that are open; empty for arrays.
    private var names: [Set<String>] = []
    /// The last name of each object that is open; empty for arrays.
    private var path: [String] = []
    /// Why the text cannot be read again as what was to be written: the first reason.
    private(set) var failure: String?

    mutating func object(_ content: (inout IndentedJSON) -> Void) { enclose("{", "}", content) }

    mutating func array(_ content: (inout IndentedJSON) -> Void) { enclose("[", "]", content) }

    /// A second member of one name is a ``failure``: JSON has no place for it.
    mutating func name(_ name: String) {
        if let last = names.indices.last, !names[last].insert(name).inserted {
            fail("\(place) has \(name) twice, and JSON has one member of a name.")
        }
        if let last = path.indices.last { path[last] = name }
        beginLine()
        JSONText.append(quoted: name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
        follows = true
    }

    /// A name that the model declares: one that JSON takes for something else is a ``failure``.
    mutating func declared(name: String) {
        if name.isEmpty || name.hasPrefix("$") || name.contains("@") {
            fail("\(place) has something of the name “\(name)”, which means something else in JSON.")
        }
        self.name(name)
    }

    /// Notes why nothing can be written; the first reason stays.
    mutating func fail(_ reason: String) { failure = failure ?? reason }

    /// The names around the object that is open.
    private var place: String {
        let around = path.dropLast().filter { !$0.isEmpty }
        return around.isEmpty ? "The document" : around.joined(separator: "/")
    }

    mutating func string(_ text: String) {
        beginValue()
        JSONText.append(quoted: text, to: &bytes)
    }

    /// Writes a number, `true`, `false` or `null`.
    mutating func literal(_ text: String) {
        beginValue()
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the member `"name": "text"`; nothing for nil.
    mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }

    /// Writes the member `"name": true`; nothing for nil.
    mutating func member(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        self.name(name)
        literal(flag ? "true" : "false")
    }

    /// Writes the member `"name": 5`; nothing for nil.
    mutating func member(_ name: String, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        literal("\(number)")
    }

    private mutating func enclose(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ content: (inout IndentedJSON) -> Void
    ) {
        beginValue()
        bytes.append(UInt8(ascii: open))
        let start = bytes.count
        (depth, needsComma) = (depth + 1, false)
        names.append([])
        path.append("")
        content(&self)
        names.removeLast()
        path.removeLast()
        (depth, needsComma) = (depth - 1, true)
        if bytes.count > start { lineBreak() }
        bytes.append(UInt8(ascii: close))
    }

    private mutating func beginValue() {
        if follows {
            follows = false
        } else if depth > 0 {
            beginLine()
        }
    }

    private mutating func beginLine() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        lineBreak()
    }

    private mutating func lineBreak() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }
}
