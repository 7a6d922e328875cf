import ODataModel

/// Query options as written.
///
/// Of an option that is given twice the last counts; ``given`` has both.
package struct OptionsSyntax: Equatable {
    package struct OrderItem: Equatable {
        package var expression: ExpressionSyntax
        package var isDescending: Bool

        package init(expression: ExpressionSyntax, isDescending: Bool) {
            self.expression = expression
            self.isDescending = isDescending
        }
    }

    package enum Search: Equatable {
        case expression(SearchExpression)
        /// `'"blue gre'`, without the outer quotes: what a user has typed so far.
        case incomplete(String)
    }

    /// Where an option that was given is.
    package struct Given: Equatable {
        package var option: SystemOption
        package var offset: Int

        package init(option: SystemOption, offset: Int) {
            self.option = option
            self.offset = offset
        }

        package static func == (left: Given, right: Given) -> Bool { left.option == right.option }
    }

    package var apply: [TransformationSyntax]?
    package var compute: [ComputeSyntax] = []
    package var search: Search?
    package var filter: ExpressionSyntax?
    package var select: [SelectSyntax]?
    package var expand: [ExpandSyntax] = []
    package var orderBy: [OrderItem] = []
    package var top: Int?
    package var skip: Int?
    package var count: Bool?
    package var skipToken: String?
    package var deltaToken: String?
    package var format: String?
    package var id: String?
    package var index: Int?
    package var levels: ExpandItem.Levels?
    package var schemaVersion: String?
    /// `@p=5`, without the sign.
    package var aliases: [ArgumentSyntax] = []
    /// `debug=1`: options that are not the standard's. A parameter of a function in the path may be among them: see
    /// ``SyntaxParser/parameterValue(_:of:limits:)``.
    package var custom: [CustomSyntax] = []
    /// The system query options in their order.
    package var given: [Given] = []

    package init(
        apply: [TransformationSyntax]? = nil, compute: [ComputeSyntax] = [], search: Search? = nil,
        filter: ExpressionSyntax? = nil, select: [SelectSyntax]? = nil, expand: [ExpandSyntax] = [],
        orderBy: [OrderItem] = [], top: Int? = nil, skip: Int? = nil, count: Bool? = nil, skipToken: String? = nil,
        deltaToken: String? = nil, format: String? = nil, id: String? = nil, index: Int? = nil,
        levels: ExpandItem.Levels? = nil, schemaVersion: String? = nil, aliases: [ArgumentSyntax] = [],
        custom: [CustomSyntax] = [], given: [Given] = []
    ) {
        self.apply = apply
        self.compute = compute
        self.search = search
        self.filter = filter
        self.select = select
        self.expand = expand
        self.orderBy = orderBy
        self.top = top
        self.skip = skip
        self.count = count
        self.skipToken = skipToken
        self.deltaToken = deltaToken
        self.format = format
        self.id = id
        self.index = index
        self.levels = levels
        self.schemaVersion = schemaVersion
        self.aliases = aliases
        self.custom = custom
        self.given = given
    }
}

/// `debug=1`
package struct CustomSyntax: Equatable {
    package var name: NameSyntax
    /// The value in the decoded text; nil without an equals sign.
    package var value: Range<Int>?
    package var text: String?

    package init(name: NameSyntax, value: Range<Int>? = nil, text: String? = nil) {
        self.name = name
        self.value = value
        self.text = text
    }

    package static func == (left: CustomSyntax, right: CustomSyntax) -> Bool {
        left.name == right.name && left.text == right.text
    }
}

/// `Price mul Quantity as Total`
package struct ComputeSyntax: Equatable {
    package var expression: ExpressionSyntax
    package var alias: NameSyntax

    package init(expression: ExpressionSyntax, alias: NameSyntax) {
        self.expression = expression
        self.alias = alias
    }
}

/// One part of `$select`.
package struct SelectSyntax: Equatable {
    package enum Kind: Equatable {
        /// `*`
        case all
        /// `Model.*`: the namespace.
        case operations(NameSyntax)
        /// `Name`, `Address/City`, `Model.Manager/Budget`, `@Core.Messages` (with its sign), `Model.Approve`
        case path([NameSyntax])
    }

    package var kind: Kind
    package var offset: Int
    /// `Top(count,kind)`: the names of a function's parameters.
    package var parameters: [NameSyntax]?
    /// `Tags($top=2)`
    package var options: OptionsSyntax?

    package init(kind: Kind, offset: Int, parameters: [NameSyntax]? = nil, options: OptionsSyntax? = nil) {
        self.kind = kind
        self.offset = offset
        self.parameters = parameters
        self.options = options
    }

    package static func == (left: SelectSyntax, right: SelectSyntax) -> Bool {
        left.kind == right.kind && left.parameters == right.parameters && left.options == right.options
    }
}

/// One part of `$expand`.
package struct ExpandSyntax: Equatable {
    package enum Kind: Equatable {
        /// `*`: all navigation properties, of `Address/*` those at the path before it.
        case all
        /// `$value`: the media stream.
        case value
        /// `Items`, `Address/Country`, `Model.Manager/Reports`, `Items/Model.Special`, `@Ns.Term`.
        case path
    }

    package var kind: Kind = .path
    package var path: [NameSyntax]
    package var form: ExpandItem.Form
    package var options: OptionsSyntax
    package var offset: Int

    package init(kind: Kind = .path, path: [NameSyntax], form: ExpandItem.Form, options: OptionsSyntax, offset: Int) {
        self.kind = kind
        self.path = path
        self.form = form
        self.options = options
        self.offset = offset
    }

    package static func == (left: ExpandSyntax, right: ExpandSyntax) -> Bool {
        left.kind == right.kind && left.path == right.path && left.form == right.form && left.options == right.options
    }
}

extension OptionsSyntax {
    /// [OData-URL, section 5: an option and an alias must not be given more than once]
    package func checkOnce(in source: QuerySource) throws(QueryError) {
        for (index, given) in given.enumerated() where self.given[..<index].contains(given) {
            throw source.error(.syntax, "The option \(given.option.name) is given twice.", at: given.offset)
        }
        var names: Set<String> = []
        for alias in aliases where !names.insert(alias.name.text).inserted {
            throw source.error(.syntax, "The alias @\(alias.name.text) is given twice.", at: alias.name.offset)
        }
    }

    /// As ``checkOnce(in:)``, of the options in parentheses too.
    package func checkAllOnce(in source: QuerySource) throws(QueryError) {
        try checkOnce(in: source)
        for item in expand { try item.options.checkAllOnce(in: source) }
        for item in select ?? [] { try item.options?.checkAllOnce(in: source) }
    }
}
