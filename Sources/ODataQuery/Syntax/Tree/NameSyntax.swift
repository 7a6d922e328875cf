import ODataModel

/// A name as written, and its offset in the decoded text.
struct NameSyntax: Hashable {
    var text: String
    var offset: Int

    /// Whether this is a name like `Model.Manager`.
    var isQualified: Bool { text.utf8.contains(UInt8(ascii: ".")) }

    /// Names are the same wherever they stand.
    static func == (left: NameSyntax, right: NameSyntax) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// `Model.Manager`, `Collection(Edm.String)`
struct TypeNameSyntax: Equatable {
    var name: NameSyntax
    var isCollection: Bool
}

/// `12`, `'abc'`, `2024-01-02`
struct LiteralSyntax: Equatable {
    var value: EdmValue
    var offset: Int

    static func == (left: LiteralSyntax, right: LiteralSyntax) -> Bool { left.value == right.value }
}
