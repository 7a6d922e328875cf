import ODataModel

/// Query options as written.
///
/// Of an option that is given twice the last counts; ``given`` has both.
struct OptionsSyntax: Equatable {
    struct OrderItem: Equatable {
        var expression: ExpressionSyntax
        var isDescending: Bool
    }

    enum Search: Equatable {
        case expression(SearchExpression)
        /// `'"blue gre'`, without the outer quotes: what a user has typed so far.
        case incomplete(String)
    }

    /// Where an option that was given is.
    struct Given: Equatable {
        var option: SystemOption
        var offset: Int

        static func == (left: Given, right: Given) -> Bool { left.option == right.option }
    }

    var apply: [TransformationSyntax]?
    var compute: [ComputeSyntax] = []
    var search: Search?
    var filter: ExpressionSyntax?
    var select: [SelectSyntax]?
    var expand: [ExpandSyntax] = []
    var orderBy: [OrderItem] = []
    var top: Int?
    var skip: Int?
    var count: Bool?
    var skipToken: String?
    var deltaToken: String?
    var format: String?
    var id: String?
    var index: Int?
    var levels: ExpandItem.Levels?
    var schemaVersion: String?
    /// `@p=5`, without the sign.
    var aliases: [ArgumentSyntax] = []
    /// `debug=1`: options that are not the standard's. A parameter of a function in the path may be among them: see
    /// ``SyntaxParser/parameterValue(_:of:limits:)``.
    var custom: [CustomSyntax] = []
    /// The system query options in their order.
    var given: [Given] = []
}

/// `debug=1`
struct CustomSyntax: Equatable {
    var name: NameSyntax
    /// The value in the decoded text; nil without an equals sign.
    var value: Range<Int>?
    var text: String?

    static func == (left: CustomSyntax, right: CustomSyntax) -> Bool {
        left.name == right.name && left.text == right.text
    }
}

/// `Price mul Quantity as Total`
struct ComputeSyntax: Equatable {
    var expression: ExpressionSyntax
    var alias: NameSyntax
}

/// One part of `$select`.
struct SelectSyntax: Equatable {
    enum Kind: Equatable {
        /// `*`
        case all
        /// `Model.*`: the namespace.
        case operations(NameSyntax)
        /// `Name`, `Address/City`, `Model.Manager/Budget`, `@Core.Messages` (with its sign), `Model.Approve`
        case path([NameSyntax])
    }

    var kind: Kind
    var offset: Int
    /// `Top(count,kind)`: the names of a function's parameters.
    var parameters: [NameSyntax]?
    /// `Tags($top=2)`
    var options: OptionsSyntax?

    static func == (left: SelectSyntax, right: SelectSyntax) -> Bool {
        left.kind == right.kind && left.parameters == right.parameters && left.options == right.options
    }
}

/// One part of `$expand`.
struct ExpandSyntax: Equatable {
    enum Kind: Equatable {
        /// `*`: all navigation properties, of `Address/*` those at the path before it.
        case all
        /// `$value`: the media stream.
        case value
        /// `Items`, `Address/Country`, `Model.Manager/Reports`, `Items/Model.Special`, `@Ns.Term`.
        case path
    }

    var kind: Kind = .path
    var path: [NameSyntax]
    var form: ExpandItem.Form
    var options: OptionsSyntax
    var offset: Int

    static func == (left: ExpandSyntax, right: ExpandSyntax) -> Bool {
        left.kind == right.kind && left.path == right.path && left.form == right.form && left.options == right.options
    }
}

extension OptionsSyntax {
    /// [OData-URL, section 5: an option and an alias must not be given more than once]
    func checkOnce(in source: QuerySource) throws(QueryError) {
        for (index, given) in given.enumerated() where self.given[..<index].contains(given) {
            throw source.error(.syntax, "The option \(given.option.name) is given twice.", at: given.offset)
        }
        var names: Set<String> = []
        for alias in aliases where !names.insert(alias.name.text).inserted {
            throw source.error(.syntax, "The alias @\(alias.name.text) is given twice.", at: alias.name.offset)
        }
    }

    /// As ``checkOnce(in:)``, of the options in parentheses too.
    func checkAllOnce(in source: QuerySource) throws(QueryError) {
        try checkOnce(in: source)
        for item in expand { try item.options.checkAllOnce(in: source) }
        for item in select ?? [] { try item.options?.checkAllOnce(in: source) }
    }
}
