import ODataModel

/// A name as written, and its offset in the decoded text.
package struct NameSyntax: Hashable {
    package var text: String
    package var offset: Int

    package init(text: String, offset: Int) {
        self.text = text
        self.offset = offset
    }

    /// Whether this is a name like `Model.Manager`.
    package var isQualified: Bool { text.utf8.contains(UInt8(ascii: ".")) }

    /// Names are the same wherever they stand.
    package static func == (left: NameSyntax, right: NameSyntax) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// `Model.Manager`, `Collection(Edm.String)`
package struct TypeNameSyntax: Equatable {
    package var name: NameSyntax
    package var isCollection: Bool

    package init(name: NameSyntax, isCollection: Bool) {
        self.name = name
        self.isCollection = isCollection
    }
}

/// `12`, `'abc'`, `2024-01-02`
package struct LiteralSyntax: Equatable {
    package var value: EdmValue
    package var offset: Int

    package init(value: EdmValue, offset: Int) {
        self.value = value
        self.offset = offset
    }

    package static func == (left: LiteralSyntax, right: LiteralSyntax) -> Bool { left.value == right.value }
}
