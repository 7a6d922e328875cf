/// The elements that are open, and the symbols of names.
@usableFromInline
struct XMLOpenElements<Handler: XMLHandler> {
    @usableFromInline var names = XMLNameCache()
    /// What ``names`` numbers.
    @usableFromInline var symbols: [Handler.Symbol] = []
    @usableFromInline var open: [Handler.Symbol] = []
    @usableFromInline var attributes: [Handler.Symbol] = []

    @inlinable var count: Int { open.count }
    @inlinable var isEmpty: Bool { open.isEmpty }

    @inlinable init() {}

    /// - Parameters:
    ///   - count: Of attributes.
    ///   - pointer: Five pointers for each.
    /// - Returns: The symbols of the element and of its attributes.
    @inlinable mutating func open(
        _ name: UnsafePointer<UInt8>, _ namespace: UnsafePointer<UInt8>?, count: Int,
        _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ handler: inout Handler
    ) -> (element: Handler.Symbol, attributes: [Handler.Symbol]) {
        let element = symbol(name, namespace, &handler)
        open.append(element)
        attributes.removeAll(keepingCapacity: true)
        for index in 0..<count {
            guard let name = pointer?[index * 5] else { break }
            attributes.append(symbol(name, pointer?[index * 5 + 2], &handler))
        }
        return (element, attributes)
    }

    @inlinable mutating func close() -> Handler.Symbol? { open.popLast() }

    @inlinable mutating func symbol(
        _ name: UnsafePointer<UInt8>, _ namespace: UnsafePointer<UInt8>?, _ handler: inout Handler
    ) -> Handler.Symbol {
        if let known = names[name, namespace] { return symbols[known] }
        let symbol = handler.symbol(
            namespace: namespace.map { String(cString: $0) } ?? "", name: String(cString: name))
        if names.add(symbols.count, name: name, namespace: namespace) { symbols.append(symbol) }
        return symbol
    }
}
