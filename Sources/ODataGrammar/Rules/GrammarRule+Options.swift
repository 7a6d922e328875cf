import ODataQuery

/// Rules of query options.
///
/// [OData-ABNF, section 2]
extension GrammarRule {
    static let optionRules: [String: Form] = {
        var rules: [String: Form] = [:]
        for option in SystemOption.allCases { rules[option.rawValue] = .options(OptionForm(system: [option])) }
        // The grammar's `count` is the segment.
        rules["inlinecount"] = rules.removeValue(forKey: "count")
        let system = SystemOption.allCases.filter { $0 != .levels }
        rules["systemQueryOption"] = .options(OptionForm(system: system))
        rules["queryOption"] = .options(OptionForm(system: system, allowsAlias: true, allowsCustom: true))
        rules["queryOptions"] = .options(
            OptionForm(system: system, allowsAlias: true, allowsCustom: true, isSingle: false))
        rules["aliasAndValue"] = .options(OptionForm(system: [], allowsAlias: true))
        rules["nameAndValue"] = .options(OptionForm(system: [], allowsCustom: true))
        rules["customQueryOption"] = rules["nameAndValue"]
        rules.merge(resourceOptionRules) { first, _ in first }
        rules.merge(nestedOptionRules) { first, _ in first }
        return rules
    }()

    /// Of `$batch`, `$metadata` and `$entity`.
    private static let resourceOptionRules: [String: Form] = [
        "batchOption": .options(OptionForm(system: [.format], allowsCustom: true)),
        "batchOptions": .options(OptionForm(system: [.format], allowsCustom: true, isSingle: false)),
        "metadataOption": .options(OptionForm(system: [.format], allowsCustom: true)),
        "metadataOptions": .options(OptionForm(system: [.format], allowsCustom: true, isSingle: false)),
        "entityIdOption": .options(OptionForm(system: [.format], allowsCustom: true)),
        "entityOptions": .options(OptionForm(system: [.format, .id], allowsCustom: true, isSingle: false)),
        "entityCastOption": .options(OptionForm(system: [.format, .expand, .select], allowsCustom: true)),
        "entityCastOptions": .options(
            OptionForm(system: [.format, .id, .expand, .select], allowsCustom: true, isSingle: false)),
    ]

    private static let nestedOptionRules: [String: Form] = {
        let all = SystemOption.allCases
        return [
            "expandOption": .options(
                OptionForm(system: all.filter { $0.isAllowed(in: .entities) }, allowsAlias: true, isNested: true)),
            "expandRefOption": .options(
                OptionForm(system: all.filter { $0.isAllowed(in: .references) }, isNested: true)),
            "expandCountOption": .options(OptionForm(system: all.filter { $0.isAllowed(in: .count) }, isNested: true)),
            "selectOption": .options(
                OptionForm(system: all.filter { $0.isAllowedInSelect }, allowsAlias: true, isNested: true)),
            "selectOptionPC": .options(
                OptionForm(system: [.filter, .search, .count, .orderby, .skip, .top], isNested: true)),
        ]
    }()
}
