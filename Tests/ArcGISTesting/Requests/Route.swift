/// Which operation on what a path names.
struct Route: Hashable, Sendable {
    var operation: FeatureServerOperation
    var layer = 0
    var feature: Int64 = 0
    var attachment: Int64 = 0
    var upload = ""

    /// `/arcgis/rest/services/<name>/FeatureServer/<layer>/<feature>/attachments/<attachment>`; nil for a path that
    /// names nothing.
    static func named(_ path: String, service: String) -> Route? {
        let segments = path.split(separator: "/").map { String($0) }
        guard segments.first == "arcgis" else { return nil }
        let rest = Array(segments.dropFirst())
        if rest == ["rest", "info"] { return Route(operation: .info) }
        if rest == ["tokens", "generateToken"] { return Route(operation: .generateToken) }
        guard rest.starts(with: ["rest", "services", service, "FeatureServer"]) else { return nil }
        return ofService(Array(rest.dropFirst(4)))
    }

    private static func ofService(_ segments: [String]) -> Route? {
        guard let first = segments.first else { return Route(operation: .service) }
        let rest = Array(segments.dropFirst())
        if first == "uploads" { return ofUploads(rest) }
        guard let layer = Int(first) else { return nil }
        var route = ofLayer(rest)
        route?.layer = layer
        return route
    }

    private static func ofUploads(_ segments: [String]) -> Route? {
        guard let first = segments.first else { return nil }
        let operation: FeatureServerOperation
        switch (segments.count, segments.last) {
        case (1, "info"): operation = .uploadInfo
        case (1, "upload"): operation = .upload
        case (1, "register"): operation = .register
        case (1, _): operation = .uploadItem
        case (2, "uploadPart"): operation = .uploadPart
        case (2, "commit"): operation = .commit
        case (2, "delete"): operation = .deleteUpload
        default: return nil
        }
        return Route(operation: operation, upload: first)
    }

    private static func ofLayer(_ segments: [String]) -> Route? {
        switch segments {
        case []: return Route(operation: .layer)
        case ["query"]: return Route(operation: .query)
        case ["queryAttachments"]: return Route(operation: .queryAttachments)
        case ["applyEdits"]: return Route(operation: .applyEdits)
        default:
            guard let first = segments.first, let feature = Int64(first) else { return nil }
            var route = ofFeature(Array(segments.dropFirst()))
            route?.feature = feature
            return route
        }
    }

    private static func ofFeature(_ segments: [String]) -> Route? {
        switch segments {
        case []: return Route(operation: .feature)
        case ["attachments"]: return Route(operation: .attachmentInfos)
        case ["addAttachment"]: return Route(operation: .addAttachment)
        case ["updateAttachment"]: return Route(operation: .updateAttachment)
        case ["deleteAttachments"]: return Route(operation: .deleteAttachments)
        default:
            guard segments.count == 2, segments[0] == "attachments", let id = Int64(segments[1]) else { return nil }
            return Route(operation: .attachment, attachment: id)
        }
    }
}
