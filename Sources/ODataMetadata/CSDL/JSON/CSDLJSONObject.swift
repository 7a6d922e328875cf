import ODataModel

/// An object of a CSDL JSON document: its members, and apart from them the annotations among these.
struct CSDLJSONObject {
    /// Those without `@` in their names.
    private(set) var members: [JSONNode.Member] = []
    let offset: Int
    /// By what is before the first `@` after the start: of `"Name@Core.Description"`, `Name`.
    private var annotations: [String: [JSONNode.Member]] = [:]

    /// Nil if `node` is not an object.
    init?(_ node: JSONNode) {
        guard let members = node.members else { return nil }
        self.init(members, offset: node.offset)
    }

    init(_ all: [JSONNode.Member], offset: Int) {
        self.offset = offset
        members.reserveCapacity(all.count)
        for member in all {
            guard let at = member.name.utf8.firstIndex(of: UInt8(ascii: "@")) else {
                members.append(member)
                continue
            }
            var annotation = member
            annotation.name = String(member.name[member.name.utf8.index(after: at)...])
            annotations[String(member.name[..<at]), default: []].append(annotation)
        }
    }

    subscript(name: String) -> JSONNode? {
        for member in members where member.name == name { return member.node }
        return nil
    }

    func string(_ name: String) -> String? { self[name]?.string }

    func flag(_ name: String) -> Bool { self[name]?.boolean ?? false }

    /// The annotations of the member `name`, or of the object itself, with their own annotations among them.
    func annotations(of name: String = "") -> CSDLJSONObject {
        CSDLJSONObject(annotations[name] ?? [], offset: offset)
    }

    /// Annotations beside a name that no member has, in the order of the document: `Name@Core.Description`.
    var strays: [JSONNode.Member] {
        var strays: [JSONNode.Member] = []
        for (name, beside) in annotations where !name.isEmpty && self[name] == nil {
            for var annotation in beside {
                annotation.name = "\(name)@\(annotation.name)"
                strays.append(annotation)
            }
        }
        return strays.sorted { $0.offset < $1.offset }
    }

    /// `"Name@type": "#PropertyPath"`: the type of a member's value, without `#` and what is before it.
    func hint(of name: String) -> String? {
        let found = annotations[name]?.first { $0.name == "type" || $0.name == "odata.type" }
        guard let text = found?.node.string else { return nil }
        return text.firstIndex(of: "#").map { String(text[text.index(after: $0)...]) } ?? text
    }

    /// The members that are not of the standard: types of a schema, properties of a type.
    var children: some Sequence<JSONNode.Member> { members.lazy.filter { $0.name.utf8.first != UInt8(ascii: "$") } }
}

extension JSONNode {
    /// A text, number or truth value without quotes: `a`, `1.10`, `true`.
    var literal: String? {
        switch content {
        case .string(let text): text
        case .number(let digits): digits
        case .boolean(let value): value ? "true" : "false"
        default: nil
        }
    }
}

/// Lines and columns of offsets.
struct LineTable {
    /// Where lines start.
    private var starts = [0]
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
    }

    /// Columns count characters.
    func place(_ offset: Int) -> CSDLPlace {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        let line = bytes[starts[low]..<max(starts[low], min(offset, bytes.count))]
        return CSDLPlace(line: low + 1, column: line.count { $0 & 0xC0 != 0x80 } + 1)
    }
}
