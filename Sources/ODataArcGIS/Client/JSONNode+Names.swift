import ODataModel

extension JSONNode {
    /// The member with the first of the names that there is, in any case: services name things twice, and each otherwise
    /// (`id` and `ATTACHMENTID`). Null counts as none.
    func member(_ names: String...) -> JSONNode? {
        for name in names {
            if let node = self[name], !node.isNull { return node }
        }
        for name in names {
            let found = members?.first { $0.name.lowercased() == name.lowercased() && !$0.node.isNull }
            if let found { return found.node }
        }
        return nil
    }

    /// `409`, `409.0` or `"409"`
    var wholeNumber: Int64? {
        switch content {
        case .number(let digits): Int64(digits) ?? Double(digits).flatMap { Int64(exactly: $0) }
        case .string(let text): Int64(text)
        default: nil
        }
    }

    /// A number as its digits too.
    var text: String? {
        if case .number(let digits) = content { digits } else { string }
    }

    /// Whether there is a member that is true.
    func isTrue(_ name: String) -> Bool { member(name)?.boolean == true }

    /// `"Create,Update"` or `["Create","Update"]`, in lower case.
    var words: Set<String>? {
        let words = elements?.compactMap(\.string) ?? string?.split(separator: ",").map(String.init)
        return words.map { words in
            Set(words.map { $0.lowercased().filter { !$0.isWhitespace } }.filter { !$0.isEmpty })
        }
    }
}
