/// A file of Swift that the generator has written.
public struct GeneratedFile: Hashable, Sendable {
    /// `Product.swift`
    public let name: String
    /// The text below the imports.
    let declarations: String

    /// The first line of each file.
    public static let mark = "// Written by `odata generate`: changes are lost when it runs again."

    public var text: String {
        let isASCII = declarations.utf8.allSatisfy { $0 < 0x80 }
        let ignored = isASCII ? "" : "// swift-format-ignore-file: IdentifiersMustBeASCII\n"
        return "\(Self.mark)\n\(ignored)\nimport OData\n\n\(declarations)"
    }
}
