/// The system query options of the standard.
///
/// [OData-URL, section 5.1]
enum SystemOption: String, CaseIterable {
    case filter, select, expand, orderby, top, skip, count, skiptoken, deltatoken, format, id
    // Understood, not supported:
    case apply, compute, index, levels, schemaversion, search

    /// The option called `name`, which may be written in any case and without `$`.
    init?(name: String) {
        let word = name.utf8.first == UInt8(ascii: "$") ? String(name.utf8.dropFirst()) ?? name : name
        if let option = SystemOption(rawValue: word) ?? SystemOption(rawValue: word.lowercased()) {
            self = option
        } else {
            return nil
        }
    }

    var name: String { "$" + rawValue }

    /// Whether the name without `$` is more probably one of a custom query option.
    var needsDollar: Bool { self == .id || self == .levels }

    /// Whether the option applies to collections only.
    var needsCollection: Bool {
        switch self {
        case .filter, .orderby, .top, .skip, .count, .skiptoken, .deltatoken: true
        default: false
        }
    }
}
