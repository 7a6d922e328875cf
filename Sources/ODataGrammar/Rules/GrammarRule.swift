import ODataQuery

/// A rule of the OASIS grammar that can be read on its own.
struct GrammarRule: Sendable {
    typealias Read = @Sendable (inout SyntaxParser) throws -> GrammarNode

    /// What the text of the rule is.
    enum Form: Sendable {
        /// `http://host/service/Products`
        case absoluteURL
        /// `Products?$top=5`
        case relativeURL
        /// `Products(1)/Category`
        case resourcePath
        /// `Category/Name`: what follows an entity and a slash.
        case propertyPath
        /// `(1)/Category`, `/$count`: what follows in a resource path that has led to the given state.
        case pathRest(PathState, Fits)
        /// `$top=5&$skip=3`: one or more query options.
        case options(OptionForm)
        /// Part of a URL, percent-encoded.
        case encoded(Read)
        /// ` eq 5`: part of a URL that starts with white space.
        case operation(Read)
        /// Not percent-encoded: values in payloads and headers.
        case plain(Read)
    }

    /// Which query options a rule has.
    struct OptionForm: Sendable {
        var system: [SystemOption]
        var allowsAlias = false
        var allowsCustom = false
        var isSingle = true
        /// A nested option: only what may stand in parentheses.
        var isNested = false
    }

    var form: Form

    /// The rule of the given name, in any case; nil if there is none.
    static func named(_ name: String) -> GrammarRule? { all[name.lowercased()] }

    private static let all: [String: GrammarRule] = {
        var rules: [String: Form] = [
            "odataUri": .absoluteURL, "odataRelativeUri": .relativeURL, "resourcePath": .resourcePath,
        ]
        let tables = [
            optionRules, pathRules, itemRules, expressionRules, literalRules, valueRules, nameRules, headerRules,
        ]
        for table in tables {
            rules.merge(table) { first, _ in first }
        }
        return Dictionary(rules.map { ($0.key.lowercased(), GrammarRule(form: $0.value)) }) { first, _ in first }
    }()
}
