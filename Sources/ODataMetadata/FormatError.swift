import ODataModel

/// Why bytes could not be read as metadata, a payload or a batch.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong, naming the property where there is one.
    public var message: String
    /// In bytes from the start of what was read; nil without a single place.
    public var offset: Int?
    /// From 1; nil where unknown. Errors in XML have it.
    public var line: Int?
    /// From 1; nil where unknown.
    public var column: Int?
    /// The property at fault.
    public var property: String?
    /// The entity at fault, where its key or id was there: `Products(1)`.
    public var entity: String?
    /// Whether the value of ``property`` is not one of its type.
    package var isOfValue = false
    /// The error object that was in the payload instead of data.
    public var service: ServiceError?

    /// An error without line and column: only readers of XML know them.
    public init(
        _ message: String, offset: Int? = nil, property: String? = nil, service: ServiceError? = nil
    ) {
        self.message = message
        self.offset = offset
        self.property = property
        self.service = service
    }

    package init(_ error: JSONError) {
        self.init(error.message, offset: error.offset)
    }

    public var description: String {
        if let line { return "\(message) (at line \(line), column \(column ?? 1))" }
        return offset.map { "\(message) (at byte \($0))" } ?? message
    }
}

/// How much a payload may ask of the reader.
public struct PayloadLimits: Hashable, Sendable {
    /// For one entity with all it expands, in bytes.
    public var entityBytes = 64 * 1024 * 1024
    /// Of objects and arrays inside each other.
    public var depth = 100
    /// Entities that one entity expands, all levels together.
    public var expandedEntities = 500_000
    /// Elements of a metadata document in XML, each of which takes about 1,300 bytes of memory in a store; in JSON three times as many
    /// values.
    public var metadataElements = 300_000
    /// Values of a message that is read as a whole: a request body, a value.
    public var values = 2_000_000
    /// Parts of one batch.
    public var batchParts = 10_000
    /// The body of one part of a batch, in bytes.
    public var batchPartBytes = 64 * 1024 * 1024
    /// Headers of one part of a batch.
    public var batchPartHeaders = 100
    /// One header of a part of a batch, in bytes.
    public var batchHeaderBytes = 64 * 1024

    /// Whether a value that is not one of its property's type is read as null, and reported, unless it belongs to the
    /// key.
    package var takesBadValuesAsNull = false

    /// What readers go by where nothing else is said; the same as `PayloadLimits()`.
    public static let `default` = PayloadLimits()

    /// For metadata that are the app's own or were accepted before.
    package static var ofKnownMetadata: PayloadLimits {
        var limits = PayloadLimits()
        limits.metadataElements = .max
        return limits
    }

    /// The limits above, so that no payload can exhaust the memory or the stack.
    public init() {}
}

/// Parses JSON for the formats.
package func parsed(_ bytes: ArraySlice<UInt8>, limits: PayloadLimits = .default) throws(FormatError) -> JSONNode {
    do {
        return try JSONParser.parse(bytes, maxDepth: limits.depth, maxValues: limits.values)
    } catch {
        throw FormatError(error)
    }
}
