import ByteStreams
import ODataModel
import ODataQuery

/// Streams of media entities, and stream properties. [OData-Protocol, sections 11.2.4 and 11.4.7]
extension EntityCollection {
    /// Creates a media entity with its stream, and sets the properties that the element has.
    ///
    /// - Parameters:
    ///   - element: Of what it has, properties count.
    ///   - stream: The content and its type.
    ///   - slug: What the service may name the entity after.
    /// - Returns: The entity as the store has it then.
    @discardableResult
    public func create(_ element: Element, stream: MediaContent, slug: String? = nil) async throws -> Element {
        let target = try await path(query.path)
        let result = try await collections.changing {
            try await store.createMedia(stream, in: target, slug: slug, properties: element.creation)
        }
        return try await created(result, as: element)
    }

    /// The stream of a media entity, ready to be read: see ``StreamHandle``.
    public func stream(of element: Element) async throws -> StreamHandle {
        store.stream(try await streamRequest(of: element))
    }

    /// What a store is asked for the stream of a media entity.
    public func streamRequest(of element: Element) async throws -> StreamRequest {
        StreamRequest(try await path(try location(of: element)))
    }

    /// A stream property.
    public func stream(
        of element: Element, _ property: KeyPath<Element.Fields, StreamField>
    ) async throws -> StreamHandle {
        store.stream(StreamRequest(try await path(of: element, property)))
    }

    /// Replaces the stream of a media entity, whatever its version.
    public func replaceStream(of element: Element, with content: MediaContent) async throws {
        let target = try await path(try location(of: element))
        _ = try await change(ChangeRequest(target, .replaceStream(content)))
    }

    /// Sets or replaces a stream property, whatever its version.
    public func replaceStream(
        of element: Element, _ property: KeyPath<Element.Fields, StreamField>, with content: MediaContent
    ) async throws {
        _ = try await change(ChangeRequest(try await path(of: element, property), .replaceStream(content)))
    }

    /// Takes a stream property away.
    public func deleteStream(
        of element: Element, _ property: KeyPath<Element.Fields, StreamField>
    ) async throws {
        _ = try await change(ChangeRequest(try await path(of: element, property), .deleteStream))
    }

    private func path(
        of element: Element, _ property: KeyPath<Element.Fields, StreamField>
    ) async throws -> ResourcePath {
        try await path(of: element, stream: Element.Fields(path: .root)[keyPath: property].path)
    }

    fileprivate func path(of element: Element, stream name: String) async throws -> ResourcePath {
        try await path("\(try location(of: element))/\(percentEncoded(name, allowing: Set("/".utf8)))")
    }
}

/// Stream properties by their names, or paths (`Address/Map`).
extension EntityCollection<DynamicEntity> {
    /// A stream property, ready to be read: see ``StreamHandle``.
    public func stream(of element: DynamicEntity, _ property: String) async throws -> StreamHandle {
        store.stream(StreamRequest(try await path(of: element, stream: property)))
    }

    /// Sets or replaces a stream property, whatever its version.
    public func replaceStream(
        of element: DynamicEntity, _ property: String, with content: MediaContent
    ) async throws {
        _ = try await change(ChangeRequest(try await path(of: element, stream: property), .replaceStream(content)))
    }

    /// Takes a stream property away.
    public func deleteStream(of element: DynamicEntity, _ property: String) async throws {
        _ = try await change(ChangeRequest(try await path(of: element, stream: property), .deleteStream))
    }
}
