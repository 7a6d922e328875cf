import ODataModel
import ODataQuery

/// How a download has read a defining query.
public enum RefreshMode: String, Sendable, Hashable, Codable {
    /// Everything, for the first time.
    case full
    /// The changes of the service's delta link.
    case delta
    /// The entities with a greater value of the app's property than those in the store.
    case changedSince
    /// Everything, compared with the store.
    case comparison
}

/// Decides how a query is read next, from its refresh setting, the metadata and the service's responses.
struct RefreshChoice {
    let record: QueryRecord
    let bound: BoundQuery

    /// The reason why the changes of a query cannot be requested; nil if they can, or if it is unknown.
    var obstacle: String? {
        guard let set = bound.path.entitySet, let tracking = set.annotation(EdmAnnotation.changeTracking) else {
            return nil
        }
        if tracking == .bool(false) || tracking["Supported"]?.bool == false {
            return "The service's metadata says that changes of \(set.name) are not tracked."
        }
        guard !bound.options.expand.isEmpty, tracking.record != nil else { return nil }
        let tracked = Set((tracking["ExpandableProperties"]?.elements ?? []).compactMap { $0.path ?? $0.string })
        let missing = Self.expanded(bound.options.expand, below: "").filter { !tracked.contains($0) }
        guard let first = missing.first else { return nil }
        return "The service's metadata does not say that changes of \(set.name) are tracked where \(first) is expanded."
    }

    private static func expanded(_ items: [ExpandItem], below path: String) -> [String] {
        items.flatMap { item in
            let name = path + item.navigation.name
            return [name] + expanded(item.options.expand, below: name + "/")
        }
    }

    /// Whether a delta link is requested with the whole result.
    var asksForTracking: Bool {
        switch record.definition.refresh {
        case .automatic: obstacle == nil
        case .delta: true
        case .changedSince, .comparison: false
        }
    }

    var mode: RefreshMode {
        guard record.reads > 0 else { return .full }
        switch record.definition.refresh {
        case .comparison: return .comparison
        case .automatic, .delta: return record.delta != nil ? .delta : .comparison
        case .changedSince:
            guard record.since != nil else { return .comparison }
            return record.comparesNow && !bound.options.expand.isEmpty ? .comparison : .changedSince
        }
    }

    /// The reason why everything is read again; nil if the app requests it or if there is no alternative.
    var reason: String? {
        switch record.definition.refresh {
        case .comparison: nil
        case .changedSince(let name, _):
            record.since == nil ? "No entity has had a value of \(name) yet." : nil
        case .delta: "The service has not returned a delta link."
        case .automatic: obstacle ?? "The service has not returned a delta link."
        }
    }
}
