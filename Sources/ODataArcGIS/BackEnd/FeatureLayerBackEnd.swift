import ByteStreams
import ODataAttachments
import ODataModel
import ODataStores
import ODataTransport
import Synchronization

/// Attachments of the features of a layer of an ArcGIS feature service. Features are called by their object ids: `12`.
///
/// ```
/// GET  …/FeatureServer/0/12/attachments?f=json
/// POST …/FeatureServer/0/12/addAttachment         a form with the file
/// POST …/FeatureServer/0/applyEdits               useGlobalIds=true&attachments={"adds":[{"globalId":"{5…}",…}]}
/// ```
///
/// Where the layer supports edits with global ids and uploads, an addition is sent with an id made on the device: the
/// service never carries it out twice. If its response was lost, the list has it by that id; by its content where the
/// layer does not support `queryAttachments`, since the lists of single features need not have global ids.
///
/// Features have no versions of their attachments: an update or deletion is refused if the name, type or size is not what
/// it was. New content of the same length is not noticed.
///
/// [ArcGIS REST API, Feature Service: Attachment Infos, Query Attachments, Add Attachment, Apply Edits, Uploads]
public final class FeatureLayerBackEnd: AttachmentBackEnd {
    private struct State {
        var layer: FeatureLayer?
        /// Of features, by their object ids.
        var globalIDs: [Int64: GlobalID] = [:]
    }

    let service: ArcGISClient
    /// The number of the layer.
    let number: Int
    let plan: RetryPlan
    let pause: @Sendable (Duration) async throws -> Void
    private let fetch = SharedFetch<FeatureLayer>()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - service: Where the layer is; several back ends may share it.
    ///   - layer: The number at the end of the layer's URL.
    public convenience init(service: ArcGISClient, layer: Int) {
        self.init(service: service, layer: layer, plan: RetryPlan())
    }

    /// - Parameters:
    ///   - layerURL: `https://example.org/arcgis/rest/services/Trees/FeatureServer/0`
    ///   - transport: As that of an ``ArcGISClient``.
    ///   - configuration: How the service is asked.
    /// - Throws: ``OData/ODataError`` with code `badRequest` if this is not such a URL.
    public convenience init(
        layerURL: String, transport: any HTTPTransport,
        configuration: ArcGISClient.Configuration = ArcGISClient.Configuration()
    ) throws {
        let text = layerURL.hasSuffix("/") ? layerURL.dropLast() : layerURL[...]
        guard let slash = text.lastIndex(of: "/"), let layer = Int(text[text.index(after: slash)...]), layer >= 0 else {
            throw ODataError(.badRequest, "A layer's URL ends with its number, as in …/FeatureServer/0: \(layerURL)")
        }
        let service = try ArcGISClient(
            serviceURL: String(text[..<slash]), transport: transport, configuration: configuration)
        self.init(service: service, layer: layer)
    }

    /// - Parameter pause: Waits before a broken transfer continues.
    init(
        service: ArcGISClient, layer: Int, plan: RetryPlan,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.service = service
        self.plan = plan
        self.pause = pause
        number = layer
    }

    /// What the layer says of itself; asked for once.
    ///
    /// - Throws: ``OData/ODataError``
    public func layer() async throws -> FeatureLayer {
        if let layer = state.withLock({ $0.layer }) { return layer }
        do { return try await fetchedLayer() } catch let error as CancellationError {
            throw ODataError(.cancelled, "The request was cancelled while its layer was asked for.", cause: error)
        }
    }

    private func fetchedLayer() async throws -> FeatureLayer {
        try await fetch.value { [self] in
            var layer = try FeatureLayer(try await service.response(to: ArcGISRequest(path: "\(number)")))
            do {
                layer.addLimits(try await service.response(to: ArcGISRequest(path: "uploads/info")))
            } catch let error as ODataError where !error.concernsAll {
                // Services that take no uploads have none.
            }
            state.withLock { [layer] in $0.layer = layer }
            return layer
        }
    }

    func globalID(known feature: Int64) -> GlobalID? { state.withLock { $0.globalIDs[feature] } }

    func note(_ id: GlobalID, of feature: Int64) { state.withLock { $0.globalIDs[feature] = id } }

    /// - Throws: ``OData/ODataError`` with code `badRequest` if this is not a whole number.
    static func objectID(_ name: String) throws(ODataError) -> Int64 {
        guard let id = Int64(name), id >= 0 else {
            throw ODataError(.badRequest, "A feature is called by its object id, a whole number: \(name)")
        }
        return id
    }
}

extension FeatureLayerBackEnd {
    public func currentName(of name: String) async throws -> String { String(try Self.objectID(name)) }

    public func limits(of entity: String) async throws -> AttachmentLimits {
        let layer = try await attachmentLayer()
        var limits = AttachmentLimits(maxLength: layer.maxUploadSize)
        limits.fileExtensions = layer.fileExtensions
        if let endings = service.configuration.fileExtensions {
            limits.fileExtensions = FeatureLayer.fileExtensions(endings)
        }
        limits.allowsAdding = layer.allowsAdding
        limits.allowsChanging = layer.allowsChanging
        limits.allowsKeywords = layer.keepsKeywords
        return limits
    }

    public func list(of entity: String) async throws -> [RemoteAttachment] {
        let feature = try Self.objectID(entity)
        guard try await attachmentLayer().supportsQueryAttachments else {
            let response = try await service.response(to: ArcGISRequest(path: "\(number)/\(feature)/attachments"))
            return try Self.infos(response)
        }
        return try await query([feature])[feature] ?? []
    }

    /// The attachments of many features, in one request where the layer can.
    ///
    /// - Returns: By the names of the features.
    /// - Throws: ``OData/ODataError``
    public func lists(of entities: [String]) async throws -> [String: [RemoteAttachment]] {
        var lists: [String: [RemoteAttachment]] = [:]
        guard try await attachmentLayer().supportsQueryAttachments else {
            for entity in entities { lists[entity] = try await list(of: entity) }
            return lists
        }
        let found = try await query(try entities.map { try Self.objectID($0) })
        for entity in entities {
            let feature = try Self.objectID(entity)
            lists[entity] = found[feature] ?? []
        }
        return lists
    }

    public func content(of attachment: RemoteAttachment, in entity: String) async throws -> StreamResult {
        let (feature, id) = (try Self.objectID(entity), try Self.objectID(attachment.id))
        let request = ArcGISRequest(path: "\(number)/\(feature)/attachments/\(id)")
        let ask: FileReading.Ask = { [service] offset, etag in
            try await service.open(request, listed: attachment, from: offset, ifRange: etag)
        }
        let response = try await ask(0, nil)
        let reading = FileReading(response, plan: plan, pause: pause, ask: ask)
        let content = ByteContent(ByteChunks { try await reading.next() }, length: response.totalLength)
        return StreamResult(
            content: content, contentType: response.contentType, etag: response.etag, totalLength: response.totalLength)
    }

    /// - Throws: ``OData/ODataError`` with code `badRequest` if it has no attachments.
    func attachmentLayer() async throws -> FeatureLayer {
        let layer = try await layer()
        guard layer.hasAttachments else {
            throw ODataError(.badRequest, "The layer \(layer.name) has no attachments.")
        }
        return layer
    }

    /// `{"attachmentInfos":[{"id":409,…}]}`
    private static func infos(_ node: JSONNode) throws(ODataError) -> [RemoteAttachment] {
        var infos: [RemoteAttachment] = []
        for info in try list("attachmentInfos", in: node) { infos.append(try RemoteAttachment(info: info)) }
        return infos
    }

    /// - Throws: ``OData/ODataError`` with code `invalidResponse` if there is no such list: that would be taken for
    ///   an empty one.
    private static func list(_ name: String, in node: JSONNode) throws(ODataError) -> [JSONNode] {
        guard let elements = node.member(name)?.elements else {
            throw ODataError(.invalidResponse, "The service's list of attachments has no \(name).")
        }
        return elements
    }

    /// Page by page.
    private func query(_ features: [Int64]) async throws -> [Int64: [RemoteAttachment]] {
        guard !features.isEmpty else { return [:] }
        var found: [Int64: [RemoteAttachment]] = [:]
        var seen: Set<String> = []
        while true {
            var request = ArcGISRequest(path: "\(number)/queryAttachments")
            request.parameters = [.init("objectIds", features.map(String.init).joined(separator: ","))]
            if !seen.isEmpty { request.parameters.append(.init("resultOffset", "\(seen.count)")) }
            let response = try await service.response(to: request)
            let before = seen.count
            for (feature, infos) in try groups(response) {
                found[feature, default: []] += infos.filter { seen.insert("\(feature)/\($0.id)").inserted }
            }
            guard response.isTrue("exceededTransferLimit") else { return found }
            guard seen.count > before else {
                throw ODataError(
                    .invalidResponse, "The service has more attachments than it lists, and gives no further page.")
            }
        }
    }

    /// `{"attachmentGroups":[{"parentObjectId":12,"parentGlobalId":"{5…}","attachmentInfos":[…]}]}`
    private func groups(_ node: JSONNode) throws(ODataError) -> [(feature: Int64, infos: [RemoteAttachment])] {
        var groups: [(feature: Int64, infos: [RemoteAttachment])] = []
        for group in try Self.list("attachmentGroups", in: node) {
            guard let feature = group.member("parentObjectId")?.wholeNumber else {
                throw ODataError(.invalidResponse, "The service lists attachments without their feature.")
            }
            groups.append((feature, try Self.infos(group)))
            if let id = group.member("parentGlobalId")?.string, !id.isEmpty { note(GlobalID(id), of: feature) }
        }
        return groups
    }
}
