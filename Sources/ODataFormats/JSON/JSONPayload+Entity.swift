import ODataModel

extension JSONPayload {
    /// Writes one entity as a V4 JSON object: control information, properties, what is expanded.
    ///
    /// - Parameter type: The declared type; nil for that of the entity's set.
    package static func bytes(
        entity: EdmEntity, type: EdmStructuredType? = nil, model: EdmModel,
        options: JSONWriterOptions = JSONWriterOptions()
    ) -> [UInt8] {
        let rows = EntityRows([entity], type: type, model: model)
        var writer = JSONEntityWriter(shape: rows.shape, kind: .entity, options: options)
        writer.begin()
        writer.write(rows.block)
        writer.end()
        return writer.takeBytes()
    }
}
