import ODataModel

/// A model as bytes that are read many times faster than a metadata document: for those who keep both.
///
/// Nothing of the model is lost. The form may change with every release: ``version`` reports which one it is.
package enum CompiledModel {
    /// To be raised with each change of the declarations that a model consists of, or of their coding.
    package static let version: UInt8 = 3

    /// The same model gives the same bytes.
    package static func bytes(of model: EdmModel) throws -> [UInt8] {
        try ModelCoder.bytes(of: Contents(schemas: model.schemas, references: model.references))
    }

    /// What bytes of this version were made of.
    ///
    /// - Throws: ``FormatError`` if they are anything else. Not all damage shows: who keeps the bytes keeps a digest too.
    package static func contents(from bytes: [UInt8]) throws(FormatError) -> Contents {
        do { return try ModelCoder.value(Contents.self, from: bytes) } catch {
            throw FormatError("The bytes are not a compiled model of version \(version).")
        }
    }

    /// The declarations that a model consists of.
    package struct Contents: Coded {
        static var blank: Contents { Contents(schemas: [], references: []) }

        package var schemas: [EdmSchema]
        package var references: [EdmReference]

        package var model: EdmModel { EdmModel.unchecked(schemas: schemas, references: references) }

        mutating func code(with coder: inout ModelCoder) throws {
            try coder.code(&schemas)
            try coder.code(&references)
        }
    }
}
