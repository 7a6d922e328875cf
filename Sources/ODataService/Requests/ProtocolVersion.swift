import HTTPTypes
import ODataTransport

/// The version of the protocol that a response is written in.
///
/// [OData-Protocol, sections 8.1.5 and 8.2.7]
enum ProtocolVersion: String, Sendable {
    case v4 = "4.0"
    case v401 = "4.01"
    /// Published beside V4: see ``V2RequestAdapter``.
    case v2 = "2.0"

    /// The highest version that `OData-MaxVersion` allows; 4.01 without one.
    ///
    /// - Throws: ``ServiceFailure`` for a request in a version that is not understood, or a client that does not
    ///   take 4.0.
    init(negotiatedFrom headers: HTTPFields) throws {
        if let sent = headers[.oDataVersion], !["4.0", "4.01"].contains(Self.number(sent)) {
            throw ServiceFailure(
                .badRequest, "The request is in OData-Version \(sent); this service understands 4.0 and 4.01.")
        }
        guard let text = headers[.oDataMaxVersion] else {
            self = .v401
            return
        }
        let parts = Self.number(text).split(separator: ".").map { Int($0) }
        guard let major = parts.first.flatMap({ $0 }), major >= 4 else {
            throw ServiceFailure(
                .badRequest, "The client takes OData-MaxVersion \(text); this service responds in 4.0 and 4.01.")
        }
        let minor = parts.count > 1 ? parts[1] ?? 0 : 0
        self = major == 4 && minor == 0 ? .v4 : .v401
    }

    /// `4.0;NetFx` → `4.0`
    private static func number(_ text: String) -> String {
        String(text.prefix { $0 != ";" }.filter { $0 != " " })
    }
}
