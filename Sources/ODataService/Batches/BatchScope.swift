import HTTPTypes
import ODataModel
import ODataQuery

/// What a request of a batch may refer to with `$<id>`.
///
/// [OData-Protocol, section 11.7.1.1: Referencing New Entities]
struct BatchScope: Sendable {
    /// Ids of earlier requests of the same change set: they have no result yet.
    var groupSets: [String: EdmEntitySet] = [:]
    /// Ids of requests that are done → URL of their entity, relative to the service root.
    var finished: [String: String] = [:]
    /// Ids of requests that are done → ETag of what they gave.
    var etags: [String: String] = [:]
    /// The id of the request itself, if it is in a change set.
    var contentID: String?

    /// `$1/Items` → `Orders(10248)/Items`, where `1` is done; other URLs stay.
    func resolved(_ url: String) -> String {
        guard let id = Self.reference(in: url), groupSets[id] == nil, let known = finished[id] else { return url }
        return known + url.dropFirst(id.count + 1)
    }

    /// `If-Match: $1` → `If-Match: W/"5f"`, where `1` is done and gave an ETag.
    func resolved(_ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch] {
            guard let value = fields[name], let id = Self.reference(in: value), let etag = etags[id] else { continue }
            fields[name] = etag
        }
        return fields
    }

    /// The path that `$1` in a body stands for; nil if `id` is not such a reference.
    func path(of id: String, parser: QueryParser) -> ResourcePath? {
        guard Self.reference(in: id) != nil else { return nil }
        guard case .query(let query) = try? parser.resource(resolved(id), contentIDs: groupSets) else { return nil }
        return query.path
    }

    /// `$1/Items` → `1`
    private static func reference(in url: String) -> String? {
        guard url.hasPrefix("$") else { return nil }
        let id = url.dropFirst().prefix { $0 != "/" && $0 != "?" && $0 != "(" }
        return id.isEmpty ? nil : String(id)
    }
}
