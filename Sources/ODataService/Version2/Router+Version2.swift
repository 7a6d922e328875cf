import HTTPTypes

extension Router {
    /// Who answers V2 clients; what they share with others is the same.
    ///
    /// [OData V2: Operations]
    static let version2Routes: [Route] = [
        Route(.get, .serviceDocument, ReadVersion2ServiceDocument()),
        Route(.get, .metadata, ReadVersion2Metadata()),
        Route(.post, .batch, RunBatch()),

        Route(.get, .collection, ReadVersion2Collection()),
        Route(.post, .collection, CreateVersion2Entity()),
        Route(.get, .count, ReadCount()),

        Route(.get, .entity, ReadVersion2Entity()),
        Route(.merge, .entity, MergeVersion2Entity()),
        Route(.patch, .entity, MergeVersion2Entity()),
        Route(.put, .entity, ReplaceVersion2Entity()),
        Route(.delete, .entity, DeleteEntity()),

        Route(.get, .references, ReadVersion2Links()),
        Route(.post, .references, AddVersion2Link()),
        Route(.delete, .references, RemoveReference()),
        Route(.get, .reference, ReadVersion2Links()),
        Route(.put, .reference, AddVersion2Link()),
        Route(.delete, .reference, RemoveReference()),

        Route(.get, .property, ReadVersion2Value()),
        Route(.put, .property, SetVersion2Property()),
        Route(.merge, .property, SetVersion2Property()),
        Route(.get, .complexProperty, ReadVersion2Value()),
        Route(.put, .complexProperty, SetVersion2Property()),
        Route(.get, .collectionProperty, ReadVersion2Value()),
        Route(.get, .rawValue, ReadRawValue()),
        Route(.put, .rawValue, SetRawValue()),
        Route(.delete, .rawValue, DeleteProperty()),

        Route(.get, .media, ReadStream()),
        Route(.put, .media, ReplaceStream()),
        Route(.delete, .media, DeleteStream()),
        Route(.get, .stream, ReadStream()),
        Route(.put, .stream, ReplaceStream()),
        Route(.delete, .stream, DeleteStream()),

        Route(.get, .functionValue, ReadVersion2Value()),
        Route(.get, .rawFunctionValue, ReadRawValue()),
        Route(.post, .action, CallVersion2Action()),
    ]
}
