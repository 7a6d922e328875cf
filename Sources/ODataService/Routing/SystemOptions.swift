/// The names that begin with `$` in a query belong to the standard: others are wrong, and not custom options.
///
/// [OData-URL, section 5.2]
enum SystemOptions {
    private static let known: Set<String> = [
        "$filter", "$select", "$expand", "$orderby", "$top", "$skip", "$count", "$search", "$format", "$compute",
        "$apply", "$index", "$schemaversion", "$skiptoken", "$deltatoken", "$id", "$levels",
    ]
    private static let knownOfV2: Set<String> = ["$inlinecount", "$callback"]

    /// - Throws: 400 for an option that the standard does not have.
    static func check(_ request: ServiceRequest) throws {
        for option in request.parts.options where option.name.hasPrefix("$") {
            let name = option.name.lowercased()
            guard known.contains(name) || (request.isV2 && knownOfV2.contains(name)) else {
                throw ServiceFailure(
                    .badRequest, code: "unknownName", "There is no query option \(option.name).",
                    target: option.name)
            }
        }
    }
}
