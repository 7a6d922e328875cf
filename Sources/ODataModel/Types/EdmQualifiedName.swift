/// The namespace-qualified name of a schema child, such as `Northwind.Product`.
///
/// [OData-CSDLXML, section 15.3: Qualified Name]
public struct EdmQualifiedName: Hashable, Sendable, CustomStringConvertible {
    /// The full name of the schema, which may have dots: `com.example.Sales`; empty for a name without one.
    public var namespace: String
    /// What follows the last dot: `Product`.
    public var name: String

    /// A name of two parts, which are not checked.
    public init(namespace: String, name: String) {
        self.namespace = namespace
        self.name = name
    }

    /// Splits `text` at its last dot; a name without a dot has an empty namespace.
    public init(_ text: String) {
        guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            self.init(namespace: "", name: text)
            return
        }
        self.init(namespace: String(text[..<dot]), name: String(text[text.utf8.index(after: dot)...]))
    }

    public var description: String { namespace.isEmpty ? name : "\(namespace).\(name)" }
}
