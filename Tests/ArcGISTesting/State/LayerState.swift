/// A layer with its features and attachments.
struct LayerState: Sendable {
    struct Feature: Sendable {
        var id: Int64
        var globalID: GlobalID
        /// Other values than ids, as JSON.
        var attributes: [(name: String, json: [UInt8])] = []
    }

    struct Attachment: Sendable {
        var globalID: GlobalID
        var served: ServedAttachment
    }

    var layer: FeatureLayer
    var style: FeatureServerConfiguration.Style
    var features: [Feature]
    var attachments: [Attachment] = []
    private var lastAttachment: Int64 = 0

    init(_ layer: FeatureLayer, style: FeatureServerConfiguration.Style) {
        self.layer = layer
        self.style = style
        features = layer.features.map { Feature(id: $0, globalID: GlobalID()) }
    }

    var objectIDField: String { "OBJECTID" }

    /// Empty where the layer has none.
    var globalIDField: String { layer.hasGlobalIDs ? style == .hosted ? "GlobalID" : "GLOBALID" : "" }

    func feature(_ id: Int64) -> Feature? { features.first { $0.id == id } }

    func attachments(of feature: Int64) -> [Attachment] { attachments.filter { $0.served.feature == feature } }

    func index(ofAttachment id: Int64, of feature: Int64) -> Int? {
        attachments.firstIndex { $0.served.id == id && $0.served.feature == feature }
    }

    /// - Parameter globalID: Made by the client; nil for a new one.
    /// - Throws: If there is such an attachment already.
    mutating func add(
        _ file: AttachedFile, to feature: Int64, as globalID: GlobalID? = nil
    ) throws(EditError) -> EditRow {
        let globalID = globalID ?? GlobalID()
        guard !attachments.contains(where: { $0.globalID == globalID }) else {
            throw .refused("There is an attachment with the globalId \(globalID.text(style)).")
        }
        lastAttachment += 1
        let served = ServedAttachment(
            id: lastAttachment, globalID: globalID.text(style), feature: feature, file: file)
        attachments.append(Attachment(globalID: globalID, served: served))
        return row(served.id, globalID)
    }

    mutating func replaceAttachment(at index: Int, with file: AttachedFile) -> EditRow {
        attachments[index].served.replace(with: file)
        return row(attachments[index].served.id, attachments[index].globalID)
    }

    mutating func removeAttachment(at index: Int) -> EditRow {
        let removed = attachments.remove(at: index)
        return row(removed.served.id, removed.globalID)
    }

    mutating func add(_ feature: Feature) -> EditRow {
        features.append(feature)
        return row(feature.id, feature.globalID)
    }

    mutating func removeFeature(at index: Int) -> EditRow {
        let removed = features.remove(at: index)
        attachments.removeAll { $0.served.feature == removed.id }
        return row(removed.id, removed.globalID)
    }

    func row(_ id: Int64, _ globalID: GlobalID) -> EditRow {
        EditRow(objectID: id, globalID: layer.hasGlobalIDs ? globalID : nil)
    }
}
