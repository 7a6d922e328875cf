import Foundation
import ODataModel

/// How the list of a feature and `queryAttachments` tell of attachments.
private enum InfoForm {
    /// `id`, `contentType`, `size`, `name`
    case short
    case usual
    /// `id` and `ATTACHMENTID`, …
    case doubleNamed
}

extension ServiceState {
    /// `GET …/FeatureServer/0/1/attachments?f=json`
    func attachmentInfos(_ route: Route) throws(RestError) -> RestResponse {
        let layer = try attachmentLayer(route, needing: [.query])
        guard layer.feature(route.feature) != nil else { throw .notFound("Feature \(route.feature)") }
        let form: InfoForm = configuration.style == .hosted ? .usual : .short
        return .object { text in
            layer.infos(layer.attachments(of: route.feature), form, &text)
        }
    }

    /// `GET …/FeatureServer/0/1/attachments/58`
    func attachment(_ route: Route) throws(RestError) -> RestResponse {
        let layer = try attachmentLayer(route, needing: [.query])
        guard let index = layer.index(ofAttachment: route.attachment, of: route.feature) else {
            throw .notFound("Attachment \(route.attachment)")
        }
        let attachment = layer.attachments[index].served
        return .file(
            FileResponse(
                source: attachment.content, size: attachment.size, name: attachment.name,
                contentType: attachment.contentType,
                entityTag: configuration.sendsEntityTags ? attachment.entityTag : nil,
                supportsRanges: configuration.supportsRanges))
    }

    /// A feature with its attachments, or with some of them.
    private typealias Group = (feature: LayerState.Feature, attachments: [LayerState.Attachment])

    /// `GET …/FeatureServer/0/queryAttachments?objectIds=1,2&f=json`, or POST
    func queryAttachments(_ call: RestCall, _ route: Route) throws(RestError) -> RestResponse {
        let layer = try attachmentLayer(route, needing: [.query])
        guard layer.layer.supportsQueryAttachments else { throw .invalidURL }
        let wanted = try features(call, layer)
        let filter = try AttachmentFilter(call)
        let countsOnly = try call.flag("returnCountOnly", default: false)
        let all: [Group] = wanted.map { ($0, layer.attachments(of: $0.id).filter { filter.accepts($0.served) }) }
        let (groups, isCut) = try countsOnly ? (groups: all, isCut: false) : page(of: all, call)
        let form: InfoForm = configuration.style == .hosted ? .usual : .doubleNamed
        return .object { text in
            text.array("attachmentGroups") { text in
                for (feature, attachments) in groups where !attachments.isEmpty {
                    text.object { text in
                        text.member("parentObjectId", feature.id)
                        if layer.layer.hasGlobalIDs {
                            text.member("parentGlobalId", feature.globalID.text(layer.style))
                        }
                        if countsOnly {
                            text.member("count", attachments.count)
                        } else {
                            layer.infos(attachments, form, &text)
                        }
                    }
                }
            }
            if isCut { text.member("exceededTransferLimit", true) }
        }
    }

    /// The attachments that `resultOffset` and `resultRecordCount` ask for, counted over all features, and whether there
    /// are more.
    private func page(of groups: [Group], _ call: RestCall) throws(RestError) -> (groups: [Group], isCut: Bool) {
        var skipped = try count("resultOffset", call) ?? 0
        var left = min(try count("resultRecordCount", call) ?? configuration.recordLimit, configuration.recordLimit)
        var isCut = false
        let page: [Group] = groups.map { feature, attachments in
            let rest = attachments.dropFirst(skipped)
            let taken = Array(rest.prefix(left))
            skipped -= attachments.count - rest.count
            left -= taken.count
            isCut = isCut || taken.count < rest.count
            return (feature, taken)
        }
        return (page, isCut)
    }

    private func count(_ name: String, _ call: RestCall) throws(RestError) -> Int? {
        guard let text = call[name] else { return nil }
        guard let count = Int(text), count >= 0 else { throw .invalid("'\(name)' is not a number.") }
        return count
    }

    /// - Throws: If none of the parameters is given that say which features are meant.
    private func features(_ call: RestCall, _ layer: LayerState) throws(RestError) -> [LayerState.Feature] {
        for name in ["attachmentsDefinitionExpression", "orderByFields"] where call[name] != nil {
            throw .invalid("'\(name)' is not supported.")
        }
        if let ids = try call.integers("objectIds") { return layer.features.filter { ids.contains($0.id) } }
        if let words = call.words("globalIds") {
            let ids = words.map { GlobalID($0.trimmingCharacters(in: CharacterSet(charactersIn: "'"))) }
            guard !ids.contains(nil) else { throw .invalid("'globalIds' has no list of global ids.") }
            return layer.features.filter { ids.contains($0.globalID) }
        }
        guard let condition = call["definitionExpression"] else {
            throw .invalid("'objectIds', 'globalIds' or 'definitionExpression' must be specified.")
        }
        guard condition.filter({ $0 != " " }) == "1=1" else {
            throw .invalid("'definitionExpression' is not valid: \(condition)")
        }
        return layer.features
    }
}

/// `attachmentTypes=image/jpeg,application/pdf&size=1000,15000&keywords=front`
private struct AttachmentFilter {
    private var types: Set<String>?
    private var sizes: ClosedRange<Int64>?
    private var keywords: Set<String>?

    init(_ call: RestCall) throws(RestError) {
        types = call.words("attachmentTypes").map(Self.folded)
        keywords = call.words("keywords").map(Self.folded)
        guard let bounds = try call.integers("size") else { return }
        let upper = bounds.count == 1 ? Int64.max : bounds.last ?? 0
        guard (1...2).contains(bounds.count), bounds[0] <= upper else { throw .invalid("'size' is not a range.") }
        sizes = bounds[0]...upper
    }

    private static func folded(_ words: [String]) -> Set<String> { Set(words.map { $0.lowercased() }) }

    func accepts(_ attachment: ServedAttachment) -> Bool {
        if let types, !types.contains(attachment.contentType.lowercased()) { return false }
        if let sizes, !sizes.contains(attachment.size) { return false }
        guard let keywords else { return true }
        let own = (attachment.keywords ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return !keywords.isDisjoint(with: Self.folded(own))
    }
}

extension LayerState {
    /// `"attachmentInfos": […]`
    fileprivate func infos(_ attachments: [Attachment], _ form: InfoForm, _ text: inout JSONText) {
        text.array("attachmentInfos") { text in
            for attachment in attachments { text.object { info(attachment.served, form, &$0) } }
        }
    }

    private func info(_ attachment: ServedAttachment, _ form: InfoForm, _ text: inout JSONText) {
        text.member("id", attachment.id)
        if form == .doubleNamed { text.member("ATTACHMENTID", attachment.id) }
        if form != .short, layer.hasGlobalIDs {
            text.member("globalId", attachment.globalID)
            if form == .doubleNamed { text.member("GLOBALID", attachment.globalID) }
        }
        text.member("name", attachment.name)
        if form == .doubleNamed { text.member("ATT_NAME", attachment.name) }
        text.member("contentType", attachment.contentType)
        if form == .doubleNamed { text.member("CONTENT_TYPE", attachment.contentType) }
        text.member("size", attachment.size)
        if form == .doubleNamed { text.member("DATA_SIZE", attachment.size) }
        if form != .short { text.member("keywords", attachment.keywords) }
    }
}
