import ODataModel

extension JSONPayload {
    /// Writes one entity as a V4 JSON object: control information, properties, what is expanded.
    ///
    /// - Parameter type: The declared type; nil for that of the entity's set.
    package static func bytes(
        entity: Entity, type: StructuredType? = nil, model: Model, options: JSONWriterOptions = JSONWriterOptions()
    ) -> [UInt8] {
        let rows = EntityRows([entity], type: type, model: model)
        var writer = JSONEntityWriter(shape: rows.shape, kind: .entity, options: options)
        writer.begin()
        writer.write(rows.block)
        writer.end()
        return writer.take()
    }

    /// Writes entities as a V4 JSON payload: `{"value":[…]}`.
    package static func bytes(
        entities: [Entity], count: Int64? = nil, type: StructuredType? = nil, model: Model,
        options: JSONWriterOptions = JSONWriterOptions()
    ) -> [UInt8] {
        let rows = EntityRows(entities, type: type, model: model)
        var writer = JSONEntityWriter(shape: rows.shape, kind: .collection, options: options)
        writer.begin(count: count)
        writer.write(rows.block)
        writer.end()
        return writer.take()
    }
}
