import ODataModel
import ODataQuery
import ODataStores
import Testing

/// One change, or a change set, and whether the stores agree on it.
struct TwinChange: Sendable, CustomTestStringConvertible {
    enum Agreement: Sendable {
        case same
        /// The device accepts what only a service can refuse: it may supply a missing value, have an entity that the
        /// device does not hold, or have constraints. This one refuses the upload, with the error of the direct store.
        case late
        /// The stores differ, and the reason.
        case known(String)
    }

    let name: String
    let requests: [TwinRequest]
    /// The code of the error with which the standard refuses the change; nil where the stores are compared only.
    let refusal: ODataError.Code?
    let agreement: Agreement

    init(
        _ name: String, _ requests: TwinRequest..., refused refusal: ODataError.Code? = nil,
        is agreement: Agreement = .same
    ) {
        self.name = name
        self.requests = requests
        self.refusal = refusal
        self.agreement = agreement
    }

    var changesStreams: Bool {
        requests.contains { request in
            if case .stream = request.body { return true }
            return ["Photos", "Plan", "Logo"].contains { request.url.contains($0) }
        }
    }

    /// Whether the change may have an effect on a set that only requests that name it, and deletions, change.
    func mayChange(_ set: String) -> Bool {
        requests.contains { $0.method == "DELETE" || "\($0)".contains(set) }
    }

    var testDescription: String { name }
}

extension EntityPayload {
    /// - Parameter type: The name in the namespace of the twins.
    static func typed(_ type: String, _ properties: EdmComplexValue) -> EntityPayload {
        var payload = EntityPayload(properties)
        payload.type = EdmQualifiedName(namespace: "NS", name: type)
        return payload
    }
}
