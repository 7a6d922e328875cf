import ODataModel

/// How the entities of a shape are written, in one form: made once for all payloads of both.
package struct JSONLayout: Sendable {
    let level: WriterLevel

    package init(shape: RowShape, options: JSONWriterOptions) {
        // The context URL names the set, or the type that its members are cast to: that of the shape.
        level = WriterLevel(shape: shape, options: options)
    }
}
