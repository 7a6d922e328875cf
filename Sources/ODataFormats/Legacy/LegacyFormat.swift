import ByteStreams
import ODataMetadata
import ODataModel
import ODataQuery

/// The two formats of V2 and V3, with one way to use both.
package enum LegacyFormat: Hashable, Sendable {
    /// `application/atom+xml`, `application/xml`
    case atom
    /// `application/json`, since V3 `application/json;odata=verbose`
    case verboseJSON

    /// The format that a media type reports; nil if it is neither.
    package init?(contentType: String) {
        let type = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        switch type {
        case "application/atom+xml", "application/xml", "text/xml", "application/atomsvc+xml": self = .atom
        case "application/json", "text/json": self = .verboseJSON
        default:
            guard type.hasSuffix("+xml") || type.hasSuffix("+json") else { return nil }
            self = type.hasSuffix("+xml") ? .atom : .verboseJSON
        }
    }

    package func reader(
        _ content: ByteContent, shape: RowShape, kind: PayloadKind, limits: PayloadLimits = .default
    ) -> any EntityReader {
        switch self {
        case .atom: AtomEntityReader(content, shape: shape, kind: kind, limits: limits)
        case .verboseJSON: VerboseEntityReader(content, shape: shape, kind: kind, limits: limits)
        }
    }

    /// - Parameter name: Of the property or function; nil where it is not known.
    package func value(
        _ bytes: [UInt8], type: EdmTypeReference, name: String? = nil, model: EdmModel
    ) throws(FormatError) -> EdmValue {
        switch self {
        case .atom: try AtomPayload.value(bytes, type: type, model: model)
        case .verboseJSON: try VerbosePayload.value(bytes, type: type, name: name, model: model)
        }
    }

    package func bytes(
        value: EdmValue, name: String, type: EdmTypeReference, annotations: [EdmAnnotation] = [], model: EdmModel,
        version: ODataVersion = .v2
    ) throws(FormatError) -> [UInt8] {
        switch self {
        case .atom:
            try AtomPayload.bytes(value: value, name: name, type: type, annotations: annotations, model: model)
        case .verboseJSON:
            VerbosePayload.bytes(
                value: value, name: name, type: type, annotations: annotations, model: model, version: version)
        }
    }

    package func entity(
        _ bytes: [UInt8], type: EdmStructuredType, model: EdmModel,
        reference: (String) -> EntityReference = { .url($0) }
    ) throws(FormatError) -> EntityPayload {
        switch self {
        case .atom: try AtomPayload.entity(bytes, type: type, model: model, reference: reference)
        case .verboseJSON: try VerbosePayload.entity(bytes, type: type, model: model, reference: reference)
        }
    }

    package func bytes(
        _ payload: EntityPayload, type: EdmStructuredType, model: EdmModel, options: LegacyWriterOptions,
        url: (EntityReference) -> String = \.url
    ) throws(FormatError) -> [UInt8] {
        switch self {
        case .atom: try AtomPayload.bytes(payload, type: type, model: model, options: options, url: url)
        case .verboseJSON: VerbosePayload.bytes(payload, type: type, model: model, options: options, url: url)
        }
    }

    package func references(
        _ bytes: [UInt8]
    ) throws(FormatError) -> (references: [String], count: Int64?, nextLink: String?) {
        switch self {
        case .atom: try AtomPayload.references(bytes)
        case .verboseJSON: try VerbosePayload.references(bytes)
        }
    }

    package func bytes(reference: String, isResponse: Bool = false) -> [UInt8] {
        switch self {
        case .atom: AtomPayload.bytes(reference: reference)
        case .verboseJSON: VerbosePayload.bytes(reference: reference, isResponse: isResponse)
        }
    }

    package func bytes(references: [String], count: Int64? = nil, nextLink: String? = nil) -> [UInt8] {
        switch self {
        case .atom: AtomPayload.bytes(references: references, count: count, nextLink: nextLink)
        case .verboseJSON: VerbosePayload.bytes(references: references, count: count, nextLink: nextLink)
        }
    }

    package func bytes(error: ServiceError) -> [UInt8] {
        switch self {
        case .atom: AtomPayload.bytes(error: error)
        case .verboseJSON: VerbosePayload.bytes(error: error)
        }
    }

    package func serviceDocument(model: EdmModel, serviceRoot: String) -> [UInt8] {
        switch self {
        case .atom: AtomPayload.serviceDocument(model: model, serviceRoot: serviceRoot)
        case .verboseJSON: VerbosePayload.serviceDocument(model: model)
        }
    }
}

/// A writer of rows in either format.
package enum LegacyEntityWriter: Sendable {
    case atom(AtomEntityWriter)
    case verboseJSON(VerboseEntityWriter)

    package init(_ format: LegacyFormat, shape: RowShape, kind: PayloadKind, options: LegacyWriterOptions) {
        switch format {
        case .atom: self = .atom(AtomEntityWriter(shape: shape, kind: kind, options: options))
        case .verboseJSON: self = .verboseJSON(VerboseEntityWriter(shape: shape, kind: kind, options: options))
        }
    }

    package mutating func begin(count: Int64? = nil) {
        change({ $0.begin(count: count) }, { $0.begin(count: count) })
    }

    package mutating func write(_ block: RowBlock) { change({ $0.write(block) }, { $0.write(block) }) }

    package mutating func end(nextLink: String? = nil, deltaLink: String? = nil) {
        change(
            { $0.end(nextLink: nextLink, deltaLink: deltaLink) }, { $0.end(nextLink: nextLink, deltaLink: deltaLink) })
    }

    /// Why what was written is not what was to be written; nil if it is.
    package var problem: String? {
        if case .atom(let writer) = self { writer.problem } else { nil }
    }

    package mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        change({ taken = $0.takeBytes() }, { taken = $0.takeBytes() })
        return taken
    }

    private mutating func change(
        _ atom: (inout AtomEntityWriter) -> Void, _ verbose: (inout VerboseEntityWriter) -> Void
    ) {
        switch self {
        case .atom(var writer):
            atom(&writer)
            self = .atom(writer)
        case .verboseJSON(var writer):
            verbose(&writer)
            self = .verboseJSON(writer)
        }
    }
}
