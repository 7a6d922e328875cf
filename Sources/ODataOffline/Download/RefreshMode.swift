import ODataModel
import ODataQuery

/// How a download has read a defining query.
public enum RefreshMode: String, Sendable, Hashable, Codable {
    /// Everything, for the first time.
    case full
    /// The changes that the service's delta link tells.
    case delta
    /// What has a greater value of the app's property than what is here.
    case changedSince
    /// Everything, compared with what is here.
    case comparison
}

/// Decides how a query is read next: from what the app wants, the metadata say and the service has answered.
struct RefreshChoice {
    let record: QueryRecord
    let bound: BoundQuery

    /// Says why the changes of a query cannot be asked for; nil if they can, or nothing is known.
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

    /// Whether a delta link is asked for with the whole result.
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

    /// Why everything is read again; nil where the app wants that, or nothing else is possible.
    var reason: String? {
        switch record.definition.refresh {
        case .comparison: nil
        case .changedSince(let name, _):
            record.since == nil ? "No entity has had a value of \(name) yet." : nil
        case .delta: "The service has given no delta link."
        case .automatic: obstacle ?? "The service has given no delta link."
        }
    }
}
