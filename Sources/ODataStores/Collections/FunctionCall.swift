import ODataModel
import ODataQuery

/// A function with its arguments. Nothing is asked before one of the methods is called.
///
/// ```swift
/// let airport = try await collections.function("NearestAirport", ["lat": 47.4.edm]).entities(of: Airport.self).one()
/// ```
///
/// [OData-Protocol, section 11.5.4]
public struct FunctionCall: Sendable {
    let collections: EntityCollections
    /// `Products(1)/Shop.Rating(scale=5)`, with complex arguments and collections in parameter aliases.
    private(set) var query: BuiltQuery

    /// - Parameter path: Of the function, percent-encoded, without arguments.
    init(_ collections: EntityCollections, path: String, _ arguments: KeyValuePairs<String, EdmValue?>) {
        self.collections = collections
        query = BuiltQuery(path: "")
        var items: [String] = []
        for case (let name, let value?) in arguments {
            switch value {
            case .complex, .collection:
                items.append("\(percentEncoded(name))=@\(percentEncoded(name))")
                query.others.append(("@" + name, value.urlLiteral))
            default: items.append("\(percentEncoded(name))=\(percentEncoded(value.urlLiteral))")
            }
        }
        query.path = "\(path)(\(items.joined(separator: ",")))"
    }

    /// The entities that the function gives: a collection that can be asked like a set.
    public func entities<Element: CollectionElement>(of _: Element.Type) -> EntityCollection<Element> {
        EntityCollection(collections, query)
    }

    /// The value that the function gives.
    ///
    /// - Throws: ``ODataError``; `invalidResponse` for null, and for a value of another type.
    public func value<Wrapped: PropertyValue>() async throws -> Wrapped {
        guard let value: Wrapped = try await valueIfAny() else {
            throw ODataError(.invalidResponse, "\(query.url) gave null.")
        }
        return value
    }

    /// The value that the function gives; nil for null.
    ///
    /// - Throws: ``ODataError``; `invalidResponse` for a value of another type.
    public func valueIfAny<Wrapped: PropertyValue>() async throws -> Wrapped? {
        let bound = try await EntityCollection<DynamicEntity>(collections, query).bound()
        return try await collections.store.read(ReadRequest(bound)).value(of: query.url)
    }
}

/// What an action gave. A store that sends its changes later (`OfflineStore`) does not know it yet: then there is
/// nothing.
///
/// [OData-Protocol, section 11.5.5]
public struct ActionResult: Sendable {
    let result: ReadResult?
    let path: String

    /// The value; nil for null too.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for a value of another type.
    public func value<Wrapped: PropertyValue>() throws -> Wrapped? { try result?.value(of: path) }

    /// The entity; nil for null too.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for an entity of another type.
    public func entity<Element: CollectionElement>() async throws -> Element? {
        let entities: [Element]? = try await entities()
        return entities?.first
    }

    /// The entities.
    ///
    /// - Throws: ``ODataError``; `invalidResponse` for entities of another type.
    public func entities<Element: CollectionElement>() async throws -> [Element]? {
        guard case .entities(let reader) = result?.body else { return nil }
        var elements: [Element] = []
        while let block = try await reader.next() { try Element.append(block, shape: reader.shape, to: &elements) }
        return elements
    }
}

extension ReadResult {
    /// The value as a Swift value; nil for null.
    fileprivate func value<Wrapped: PropertyValue>(of path: String) throws(ODataError) -> Wrapped? {
        switch body {
        case .nothing, .value(.null, _): return nil
        case .value(let value, _):
            if let value = Wrapped(edm: value) { return value }
        case .count(let count):
            if let value = Wrapped(edm: .integer(count)) { return value }
        case .entities, .notModified: break
        }
        throw ODataError(.invalidResponse, "\(path) gave no \(Wrapped.self).")
    }
}
