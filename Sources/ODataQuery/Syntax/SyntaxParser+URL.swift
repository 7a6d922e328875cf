import ODataModel

/// Whole URLs.
///
/// [OData-ABNF, `odataUri`, `odataRelativeUri`]
extension SyntaxParser {
    /// `odataRelativeUri`
    package static func relativeURL(_ source: QuerySource, limits: QueryLimits) throws(QueryError) -> URLSyntax {
        let resource = try resource(source, limits: limits)
        let (options, source) = try queryOptions(of: source, limits: limits)
        let url = URLSyntax(serviceRoot: nil, resource: resource, options: options)
        try checkOptions(of: url, source)
        return url
    }

    private static func resource(
        _ source: QuerySource, limits: QueryLimits
    ) throws(QueryError) -> URLSyntax.Resource {
        guard let first = source.segments.first else { return .serviceDocument }
        if first.isEmpty, source.segments.count == 1 { return .serviceDocument }
        switch source.string(first) {
        case "$batch":
            try endOfPath(source, after: 1)
            return .batch
        case "$metadata":
            try endOfPath(source, after: 1)
            guard let fragment = source.fragment else { return .metadata(nil) }
            var parser = SyntaxParser(source, range: fragment, limits: limits)
            return .metadata(try parser.contextFragment())
        case "$entity":
            try endOfPath(source, after: 2)
            guard source.segments.count == 2 else { return .entity(cast: nil) }
            var parser = SyntaxParser(source, range: source.segments[1], limits: limits)
            let cast = try parser.name("the name of a type")
            try parser.expectEnd("the end of the path")
            return .entity(cast: cast)
        default: return .path(try resourcePath(source, limits: limits))
        }
    }

    private static func endOfPath(_ source: QuerySource, after count: Int) throws(QueryError) {
        guard source.segments.count > count else { return }
        throw source.error(
            .syntax, "Nothing can follow here.", at: source.segments[count].lowerBound, expected: "the end of the path")
    }

    /// `batchOption`, `metadataOption`, `entityIdOption`, `entityCastOption`
    private static func checkOptions(of url: URLSyntax, _ source: QuerySource) throws(QueryError) {
        let allowed: [SystemOption]
        switch url.resource {
        case .batch, .metadata: allowed = [.format]
        case .entity(nil): allowed = [.format, .id]
        case .entity: allowed = [.format, .id, .select, .expand]
        case .serviceDocument, .path: return
        }
        for given in url.options.given where !allowed.contains(given.option) {
            throw source.error(
                .syntax, "The query option \(given.option.name) is not for this resource.", at: given.offset,
                expected: allowed.map(\.name).joined(separator: ", "))
        }
        if case .entity = url.resource, url.options.id == nil {
            throw source.error(
                .syntax, "$entity needs the id of an entity.", at: source.text.count, expected: "?$id=…")
        }
    }
}
