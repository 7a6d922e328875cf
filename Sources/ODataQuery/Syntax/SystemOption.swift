/// The system query options of the standard.
///
/// [OData-URL, section 5.1]
package enum SystemOption: String, CaseIterable {
    case filter, select, expand, orderby, top, skip, count, skiptoken, deltatoken, format, id
    case apply, compute, index, levels, schemaversion, search

    /// The option called `name`, which may be written in any case and without `$`.
    package init?(name: String) {
        guard let option = Self.named(name) ?? Self.named(name.lowercased()) else { return nil }
        self = option
    }

    private static func named(_ name: String) -> SystemOption? { known.first { $0.name == name }?.option }

    /// With and without `$`, common ones first; so few are found sooner one by one than by a hash.
    private static let known: [(name: String, option: SystemOption)] =
        allCases.map { ($0.name, $0) } + allCases.map { ($0.rawValue, $0) }

    package var name: String { "$" + rawValue }

    /// Whether the name without `$` is more probably one of a custom query option.
    var needsDollar: Bool {
        switch self {
        case .id, .levels, .skiptoken, .deltatoken: true
        default: false
        }
    }

    /// Whether the option applies to collections only.
    var needsCollection: Bool {
        switch self {
        case .filter, .orderby, .top, .skip, .count, .skiptoken, .deltatoken, .apply, .search: true
        default: false
        }
    }

    /// Whether the option may stand in the parentheses of a part of `$expand` of the given form.
    ///
    /// [OData-ABNF, `expandOption`, `expandRefOption`, `expandCountOption`]
    package func isAllowed(in form: ExpandItem.Form) -> Bool {
        switch (self, form) {
        case (.filter, _), (.search, _): true
        case (.orderby, .entities), (.skip, .entities), (.top, .entities), (.count, .entities): true
        case (.orderby, .references), (.skip, .references), (.top, .references), (.count, .references): true
        case (.select, .entities), (.expand, .entities), (.compute, .entities), (.levels, .entities): true
        case (.apply, .entities): true
        default: false
        }
    }

    /// Whether the option may stand in the parentheses of a part of `$select`.
    ///
    /// [OData-ABNF, `selectOption`]
    package var isAllowedInSelect: Bool {
        switch self {
        case .filter, .search, .count, .orderby, .skip, .top, .compute, .select, .expand: true
        default: false
        }
    }
}
