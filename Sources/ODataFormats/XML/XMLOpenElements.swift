/// The elements that are open, and the symbols of names.
struct XMLOpenElements<Handler: XMLHandler> {
    private var names = XMLNameCache()
    /// What ``names`` numbers.
    private var symbols: [Handler.Symbol] = []
    private var open: [Handler.Symbol] = []
    private var attributes: [Handler.Symbol] = []

    var count: Int { open.count }
    var isEmpty: Bool { open.isEmpty }

    /// - Parameters:
    ///   - count: Of attributes.
    ///   - pointer: Five pointers for each.
    /// - Returns: The symbols of the element and of its attributes.
    mutating func open(
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

    mutating func close() -> Handler.Symbol? { open.popLast() }

    private mutating func symbol(
        _ name: UnsafePointer<UInt8>, _ namespace: UnsafePointer<UInt8>?, _ handler: inout Handler
    ) -> Handler.Symbol {
        if let known = names[name, namespace] { return symbols[known] }
        let symbol = handler.symbol(
            namespace: namespace.map { String(cString: $0) } ?? "", name: String(cString: name))
        if names.add(symbols.count, name: name, namespace: namespace) { symbols.append(symbol) }
        return symbol
    }
}
