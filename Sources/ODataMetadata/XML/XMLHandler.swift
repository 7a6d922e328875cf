/// Receives the content of an XML document from an ``XMLScanner``, in the order of the document.
@usableFromInline
package protocol XMLHandler {
    /// What a name means to the handler: small, as each element and attribute carries one.
    associatedtype Symbol

    /// The meaning of a name. It is asked for once per name, not once per element.
    ///
    /// - Parameter namespace: The namespace URI; empty for a name without one.
    mutating func symbol(namespace: String, name: String) -> Symbol

    /// `<name attribute="…">`
    mutating func start(_ name: Symbol, _ attributes: XMLAttributes<Symbol>, at place: XMLPlace) throws(FormatError)

    /// A piece of text, UTF-8, with entities resolved. What is between two tags may come in several pieces.
    mutating func text(_ text: UnsafeBufferPointer<UInt8>) throws(FormatError)

    /// `</name>`
    mutating func end(_ name: Symbol, at place: XMLPlace) throws(FormatError)
}

/// The attributes of an element, without namespace declarations; valid while the element's start is handled.
@usableFromInline
package struct XMLAttributes<Symbol> {
    @usableFromInline let pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    @usableFromInline let symbols: UnsafeBufferPointer<Symbol>

    @inlinable package init(
        _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, symbols: UnsafeBufferPointer<Symbol>
    ) {
        self.pointer = pointer
        self.symbols = symbols
    }

    @inlinable package var count: Int { symbols.count }

    /// The name of an attribute; `index` is less than ``count``.
    @inlinable package func name(_ index: Int) -> Symbol { symbols[index] }

    /// The value of an attribute as UTF-8; `index` is less than ``count``.
    @inlinable package func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(index >= 0 && index < count)
        // Five pointers for each: local name, prefix, namespace, start and end of the value.
        guard let start = pointer?[index * 5 + 3], let end = pointer?[index * 5 + 4] else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: start, count: end - start)
    }

    /// The value of an attribute; `index` is less than ``count``.
    @inlinable package func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }
}

/// How much an XML document may ask of the scanner.
@usableFromInline
package struct XMLLimits: Sendable {
    /// Elements inside each other.
    @usableFromInline package var depth: Int
    /// Of the whole document; nil for no limit.
    @usableFromInline package var bytes: Int?
    /// Attributes of one element.
    @usableFromInline package var attributes: Int
    /// Of the whole document; nil for no limit.
    @usableFromInline package var elements: Int?

    @usableFromInline
    package init(depth: Int = 100, bytes: Int? = nil, attributes: Int = 1000, elements: Int? = nil) {
        (self.depth, self.bytes, self.attributes, self.elements) = (depth, bytes, attributes, elements)
    }
}
