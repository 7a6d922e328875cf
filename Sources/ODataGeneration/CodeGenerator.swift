import ODataModel

/// Swift for the types, sets and operations of a model: entities that collections consist of, complex types,
/// enumerations, and a service.
///
/// ```swift
/// for file in try CodeGenerator(model: model).files() { … }
/// ```
///
/// The same model gives the same files.
public struct CodeGenerator: Sendable {
    /// Who can use what is written.
    public enum Access: String, Sendable, CaseIterable {
        case `public`
        case `internal`
    }

    public let model: Model
    public var access = Access.internal
    /// The names of the entity sets and singletons that are wanted; nil for all. Their types come with all that their
    /// properties lead to, and with the relations among them.
    public var sets: [String]?

    public init(model: Model) { self.model = model }

    /// - Throws: ``GenerationError`` for a set that the model does not have.
    public func files() throws(GenerationError) -> [GeneratedFile] {
        let selection = try TypeSelection(model, sets: sets)
        return CodeWriter(selection: selection, names: TypeNames(model), isPublic: access == .public).files
    }

    /// Everything in one file: for builds that must know the names of files before they are written.
    ///
    /// - Throws: ``GenerationError`` for a set that the model does not have.
    public func file(named name: String) throws(GenerationError) -> GeneratedFile {
        GeneratedFile(name: name, declarations: try files().map(\.declarations).joined(separator: "\n"))
    }
}
