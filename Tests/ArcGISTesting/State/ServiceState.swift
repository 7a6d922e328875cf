/// All that a service knows.
struct ServiceState: Sendable {
    struct Token: Sendable {
        /// Milliseconds since 1970.
        var expires: Int64
        /// How many more requests it is good for; nil for any number.
        var requestsLeft: Int?
    }

    var configuration: FeatureServerConfiguration
    var layers: [Int: LayerState]
    var uploads: [String: UploadedItem] = [:]
    var tokens: [String: Token] = [:]
    var faults: [FeatureServerFault] = []
    var requests: [ReceivedRequest] = []
    /// With what the next edit is refused.
    var refusal: EditError?

    init(_ configuration: FeatureServerConfiguration) {
        self.configuration = configuration
        layers = Dictionary(
            configuration.layers.map { ($0.id, LayerState($0, style: configuration.style)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What becomes of a request.
    struct Outcome: Sendable {
        enum Content: Sendable {
            case response(RestResponse)
            case error(RestError)
            case page(status: Int)
        }

        var content: Content
        /// After how many bytes of the body the connection breaks.
        var cut: Int64?
    }

    mutating func outcome(of call: RestCall) -> Outcome {
        requests.append(ReceivedRequest(call))
        let effect = takeFault(of: call.route?.operation)
        var cut: Int64?
        switch effect {
        case .page(let status): return Outcome(content: .page(status: status))
        case .error(let code, let message): return Outcome(content: .error(RestError(code: code, message: message)))
        case .refuseEdit(let code, let description): refusal = EditError(code: code, description: description)
        case .loseResponse: cut = 0
        case .cut(let count): cut = count
        case .forgetUploads: uploads = [:]
        case .forgetTokens: tokens = [:]
        case nil: break
        }
        defer { refusal = nil }
        let before = layers
        do throws(RestError) {
            return Outcome(content: .response(try respond(to: call)), cut: cut)
        } catch {
            layers = before
            return Outcome(content: .error(error), cut: cut)
        }
    }

    private mutating func takeFault(of operation: FeatureServerOperation?) -> FeatureServerFault.Effect? {
        guard let operation, let index = faults.firstIndex(where: { $0.operation == operation }) else { return nil }
        guard faults[index].skipping == 0 else {
            faults[index].skipping -= 1
            return nil
        }
        return faults.remove(at: index).effect
    }

    private mutating func respond(to call: RestCall) throws(RestError) -> RestResponse {
        guard let route = call.route else { throw .invalidURL }
        guard call.isPost || !route.operation.isPostOnly else { throw .methodNotAllowed }
        if route.operation.needsToken { try check(token: call.token) }
        let now = configuration.now()
        uploads = uploads.filter { $0.value.date + configuration.uploadLifetime > now }
        switch route.operation {
        case .info: return info(call)
        case .generateToken: return try generateToken(call)
        case .service: return service()
        case .layer: return try layerResource(route)
        case .feature: return try feature(route)
        case .query: return try query(call, route)
        case .queryAttachments: return try queryAttachments(call, route)
        case .applyEdits: return try applyEdits(call, route)
        case .attachmentInfos: return try attachmentInfos(route)
        case .attachment: return try attachment(route)
        case .addAttachment: return try addAttachment(call, route)
        case .updateAttachment: return try updateAttachment(call, route)
        case .deleteAttachments: return try deleteAttachments(call, route)
        case .uploadInfo, .upload, .register, .uploadItem, .uploadPart, .commit, .deleteUpload:
            return try upload(call, route)
        }
    }

    /// Those of any layer.
    var capabilities: Set<FeatureLayer.Capability> {
        configuration.layers.reduce(into: []) { all, layer in all.formUnion(layer.capabilities) }
    }

    /// - Throws: If there is no such layer or it does not have one of the capabilities.
    func layer(_ route: Route, needing capabilities: Set<FeatureLayer.Capability>) throws(RestError) -> LayerState {
        guard let layer = layers[route.layer] else { throw .notFound("Layer \(route.layer)") }
        guard !layer.layer.capabilities.isDisjoint(with: capabilities) else {
            let names = capabilities.map(\.rawValue).sorted().joined(separator: " or ")
            throw .notPermitted("The layer has not the capability \(names).")
        }
        return layer
    }

    /// The same, for attachments of a layer that has some.
    func attachmentLayer(
        _ route: Route, needing capabilities: Set<FeatureLayer.Capability>
    ) throws(RestError) -> LayerState {
        let layer = try layer(route, needing: capabilities)
        guard layer.layer.hasAttachments else { throw .invalid("The layer has no attachments.") }
        return layer
    }

    /// - Throws: What the next edit is refused with, once.
    mutating func checkRefusal() throws(EditError) {
        guard let refusal else { return }
        self.refusal = nil
        throw refusal
    }
}
