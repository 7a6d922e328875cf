import ODataModel

/// What differs on the wire between the versions of the protocol: verbs, headers and media types.
///
/// [OData V2: Operations; OData V3 Core; OData-Protocol]
package struct ProtocolDialect: Hashable, Sendable {
    package var version: ODataVersion
    /// What messages are written in before 4.0.
    package var format: LegacyFormat
    /// Whether properties are updated with MERGE, and not with PATCH, which V3 introduced.
    package var usesMerge: Bool
    /// Whether all changes but creations are sent as POST with `X-HTTP-Method`.
    package var tunnelsMethods: Bool
    /// Whether the format is asked for with `$format` too.
    package var usesFormatOption: Bool

    package init(
        version: ODataVersion, format: LegacyFormat = .verboseJSON, usesMerge: Bool? = nil,
        tunnelsMethods: Bool = false,
        usesFormatOption: Bool = false
    ) {
        self.version = version
        self.format = format
        self.usesMerge = usesMerge ?? (version < .v3)
        self.tunnelsMethods = tunnelsMethods
        self.usesFormatOption = usesFormatOption
    }

    package static let v4 = ProtocolDialect(version: .v401)

    /// Whether this is a version before 4.0.
    package var isLegacy: Bool { version.isLegacy }

    /// `MERGE`, `PATCH`
    package var updateMethod: String { isLegacy && usesMerge ? "MERGE" : "PATCH" }

    /// `DataServiceVersion` of requests: V1 and V2 services understand no other than these.
    package var versionText: String { version < .v3 ? "2.0" : "3.0" }

    /// The media types of entities in the order of preference, for `Accept`.
    package var accept: String {
        guard isLegacy else { return "application/json;odata.metadata=minimal" }
        return format == .atom ? "application/atom+xml" : json
    }

    /// For values, links and other small messages.
    package var acceptSmall: String {
        guard isLegacy else { return "application/json;odata.metadata=minimal" }
        return format == .atom ? "application/xml" : json
    }

    /// `Content-Type` of an entity.
    package var contentType: String {
        guard isLegacy else { return "application/json" }
        return format == .atom ? "application/atom+xml" : json
    }

    /// `Content-Type` of a value or link.
    package var contentTypeSmall: String {
        guard isLegacy else { return "application/json" }
        return format == .atom ? "application/xml" : json
    }

    /// The value of `$format`.
    package var formatOption: String { format == .atom ? "atom" : "json" }

    private var json: String { version < .v3 ? "application/json" : "application/json;odata=verbose" }
}

extension ServiceError {
    /// Reads an error body of any version, in JSON or XML; nil for other bytes.
    package init?(body bytes: [UInt8]) {
        let first = bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
        let error = first == UInt8(ascii: "<") ? AtomPayload.error(bytes) : VerbosePayload.error(bytes)
        guard let error else { return nil }
        self = error
    }
}
