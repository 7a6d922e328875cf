import ODataModel

/// The Common Schema Definition Language: XML of all versions, and JSON of 4.01.
///
/// [OData-CSDLXML, OData-CSDLJSON; MC-CSDL for versions before 4.0]
public enum CSDL {
    /// Reads a metadata document, in XML or JSON.
    ///
    /// What the document says is not lost: it is in ``EdmModel/schemas``. What is wrong in it but does no harm
    /// (unknown types, dangling bindings, duplicate names, circles of base types, unknown elements) is reported as
    /// diagnostics, and ``EdmModel`` omits it. XML that ends too early is read up to its end, see
    /// ``CSDLDocument/cut``. UTF-8 and UTF-16 are understood; UTF-8 that is declared as UTF-16 is read, and reported.
    ///
    /// - Throws: ``FormatError`` if the XML or JSON is broken, nested too deeply or longer than
    ///   ``PayloadLimits/metadataElements``, if it has a document type declaration, or if it is not metadata.
    public static func document(
        _ bytes: [UInt8], limits: PayloadLimits = .default
    ) throws(FormatError) -> CSDLDocument {
        let bytes = try CSDLEncoding.utf8(bytes)
        switch bytes.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"): return try CSDLJSONReader.document(bytes, limits: limits)
        default: return try CSDLReader.document(bytes, limits: limits)
        }
    }

    /// Reads a whole metadata document.
    ///
    /// - Throws: ``FormatError`` as `document(_:)` does, and if the document ends too early: half a model would pass for
    ///   the whole one.
    public static func read(
        xml: [UInt8], limits: PayloadLimits = .default
    ) throws(FormatError) -> (model: EdmModel, diagnostics: [DocumentDiagnostic]) {
        let document = try wholeDocument(xml, limits: limits)
        return (document.model, document.diagnostics)
    }

    /// Reads a metadata document as `document(_:)` does, and throws its ``CSDLDocument/cut``: half a model would pass for
    /// the whole one, and sets and properties would be missing without a word.
    package static func wholeDocument(
        _ bytes: [UInt8], limits: PayloadLimits = .default
    ) throws(FormatError) -> CSDLDocument {
        let document = try document(bytes, limits: limits)
        if let cut = document.cut { throw cut.ofCut }
        return document
    }

    /// Writes `model` as a metadata document in XML; the same model gives the same bytes.
    ///
    /// - Parameters:
    ///   - model: What is written.
    ///   - version: 4.0 or 4.01. 4.0 has no `floating` scale and no nullable singletons: they become a `variable` scale
    ///     and plain ones.
    ///   - refersToVocabularies: Whether there are references to the documents of the vocabularies of OASIS and SAP. Some
    ///     clients fetch them from the network before they do anything else.
    /// - Throws: ``FormatError`` for what would not be read again: two declarations of one name, names that are empty,
    ///   texts with characters that XML does not have.
    public static func xml(
        _ model: EdmModel, version: ODataVersion = .v401, refersToVocabularies: Bool = true
    ) throws(FormatError) -> [UInt8] {
        let model = model.inContainer
        var writer = CSDLWriter(model: model, version: version == .v4 ? .v4 : .v401)
        writer.write(references: Vocabulary.references(of: model, withVocabularies: refersToVocabularies))
        if let failure = writer.failure { throw FormatError("The metadata cannot be written in XML: \(failure)") }
        return writer.bytes
    }

    /// Writes `model` as a metadata document in JSON; the same model gives the same bytes.
    ///
    /// Constants that JSON writes as mere text or numbers (enumeration members, property paths, dates) have their type
    /// beside them, as control information: `"Navigability@type": "#Org.OData.Capabilities.V1.NavigationType"`.
    ///
    /// A collection whose metadata leave open whether its members may be null, as XML may without `Nullable`, is written
    /// with `"$Nullable": true`: JSON has only that and false, and a client must be ready for null in both cases.
    /// [OData-CSDLJSON, section 7.2.1: Nullable]
    ///
    /// - Parameters:
    ///   - model: What is written.
    ///   - version: That of the service as its client knows it: 4.0 or 4.01. The format is that of 4.01 in any case.
    ///   - refersToVocabularies: As for ``xml(_:version:refersToVocabularies:)``.
    /// - Throws: ``FormatError`` for what JSON has no place for: two declarations of one name, such as a type and an
    ///   operation, which XML can have, and names that mean something else in JSON.
    public static func json(
        _ model: EdmModel, version: ODataVersion = .v401, refersToVocabularies: Bool = true
    ) throws(FormatError) -> [UInt8] {
        let model = model.inContainer
        var writer = CSDLJSONWriter(model: model)
        writer.write(
            version: version == .v4 ? .v4 : .v401,
            references: Vocabulary.references(of: model, withVocabularies: refersToVocabularies))
        if let failure = writer.json.failure {
            throw FormatError("The metadata cannot be written in JSON: \(failure)")
        }
        return writer.bytes
    }
}

extension FormatError {
    /// The error as that of a document that ends too early.
    var ofCut: FormatError {
        var error = self
        error.message = "The document is cut off: \(message)"
        return error
    }
}

/// A metadata document that was read.
public struct CSDLDocument: Sendable {
    /// What the document is written in.
    public enum Format: Hashable, Sendable {
        /// `application/xml`, which services of all versions have. [OData-CSDLXML]
        case xml
        /// `application/json`, since 4.01. [OData-CSDLJSON]
        case json
    }

    /// Detected by the first character that is not white space: `{` begins JSON.
    public var format: Format
    /// The version of the service that the document is from.
    ///
    /// Of `Version` in V4; of `m:DataServiceVersion` and the namespace of the schemas before.
    public var version: ODataVersion
    /// Everything in the terms of V4, whatever the version.
    public var model: EdmModel
    /// What is wrong in the document, in its order.
    public var diagnostics: [DocumentDiagnostic]
    /// Why the document ends too early; nil if it is whole. The model has what is before the cut then.
    public var cut: FormatError?
}

/// The encodings of metadata documents.
enum CSDLEncoding {
    /// `bytes` as UTF-8 without a byte order mark.
    static func utf8(_ bytes: [UInt8]) throws(FormatError) -> [UInt8] {
        let units: [UInt16]
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xEF, 0xBB): return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        case (0xFF, 0xFE): units = Self.units(bytes.dropFirst(2), low: 0)
        case (0xFE, 0xFF): units = Self.units(bytes.dropFirst(2), low: 1)
        case (0x3C, 0x00), (0x7B, 0x00): units = Self.units(bytes[...], low: 0)
        case (0x00, 0x3C), (0x00, 0x7B): units = Self.units(bytes[...], low: 1)
        default: return withoutMisplacedDeclaration(bytes)
        }
        guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw FormatError("The text is not UTF-16.")
        }
        return Array(withoutDeclaration(text).utf8)
    }

    /// White space before `<?xml …?>`, which XML does not allow but services send, makes the declaration white space.
    private static func withoutMisplacedDeclaration(_ bytes: [UInt8]) -> [UInt8] {
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }), start > 0,
            bytes[start...].starts(with: "<?xml ".utf8), let end = bytes[start...].firstRange(of: "?>".utf8)
        else { return bytes }
        var bytes = bytes
        for index in start..<end.upperBound where bytes[index] > 0x20 { bytes[index] = 0x20 }
        return bytes
    }

    private static func units(_ bytes: ArraySlice<UInt8>, low: Int) -> [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var rest = bytes
        while let first = rest.popFirst(), let second = rest.popFirst() {
            units.append(low == 0 ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second))
        }
        return units
    }

    /// `<?xml version="1.0" encoding="utf-16"?>` is no longer true; spaces in its place keep lines and columns.
    private static func withoutDeclaration(_ text: String) -> String {
        guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") else { return text }
        let declaration = text[..<end.upperBound].map { $0.isNewline ? $0 : " " }
        return String(declaration) + text[end.upperBound...]
    }
}
