/// The system query options of the standard.
///
/// [OData-URL, section 5.1]
enum SystemOption: String, CaseIterable {
    case filter, select, expand, orderby, top, skip, count, skiptoken, deltatoken, format, id
    // Understood, not supported:
    case apply, compute, index, levels, schemaversion, search

    /// The option called `name`, which may be written in any case and without `$`.
    init?(name: String) {
        self.init(rawValue: (name.first == "$" ? String(name.dropFirst()) : name).lowercased())
    }

    var name: String { "$" + rawValue }

    /// Whether the option applies to collections only.
    var needsCollection: Bool {
        switch self {
        case .filter, .orderby, .top, .skip, .count, .skiptoken, .deltatoken: true
        default: false
        }
    }
}
