/// A file of Swift that the generator has written.
public struct GeneratedFile: Hashable, Sendable {
    /// `Product.swift`
    public let name: String
    public let text: String

    /// The first line of each file.
    public static let mark = "// Written by `odata generate`: changes are lost when it runs again."
}
