import HTTPTypes

extension Router {
    /// The actions for V2 clients; those that V4 shares are the same.
    ///
    /// [OData V2: Operations]
    static let v2Routes: [Route] = [
        Route(.get, .serviceDocument, ReadV2ServiceDocument()),
        Route(.get, .metadata, ReadV2Metadata()),
        Route(.post, .batch, RunBatch()),

        Route(.get, .collection, ReadV2Collection()),
        Route(.post, .collection, CreateV2Entity()),
        Route(.get, .count, ReadCount()),

        Route(.get, .entity, ReadV2Entity()),
        Route(.merge, .entity, MergeV2Entity()),
        Route(.patch, .entity, MergeV2Entity()),
        Route(.put, .entity, ReplaceV2Entity()),
        Route(.delete, .entity, DeleteEntity()),

        Route(.get, .references, ReadV2Links()),
        Route(.post, .references, AddV2Link()),
        Route(.delete, .references, RemoveReference()),
        Route(.get, .reference, ReadV2Links()),
        Route(.put, .reference, AddV2Link()),
        Route(.delete, .reference, RemoveReference()),

        Route(.get, .property, ReadV2Value()),
        Route(.put, .property, SetV2Property()),
        Route(.merge, .property, SetV2Property()),
        Route(.get, .complexProperty, ReadV2Value()),
        Route(.put, .complexProperty, SetV2Property()),
        Route(.get, .collectionProperty, ReadV2Value()),
        Route(.get, .rawValue, ReadRawValue()),
        Route(.put, .rawValue, SetRawValue()),
        Route(.delete, .rawValue, DeleteProperty()),

        Route(.get, .media, ReadStream()),
        Route(.put, .media, ReplaceStream()),
        Route(.delete, .media, DeleteStream()),
        Route(.get, .stream, ReadStream()),
        Route(.put, .stream, ReplaceStream()),
        Route(.delete, .stream, DeleteStream()),

        Route(.get, .functionValue, ReadV2Value()),
        Route(.get, .rawFunctionValue, ReadRawValue()),
        Route(.post, .action, CallV2Action()),
    ]
}
