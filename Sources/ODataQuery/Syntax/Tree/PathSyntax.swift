import ODataModel

/// A path in an expression.
package struct PathSyntax: Equatable {
    package enum Start: Equatable {
        /// Nothing: `Name` of the instance, a lambda variable, or a function on the instance.
        case relative
        /// `$it`
        case it
        /// `$this`
        case this
        /// `$these`: the input set of a transformation.
        case these
        /// `$root`
        case root
        /// `@p`, without the sign: a parameter alias, or an annotation without namespace.
        case alias(NameSyntax)
    }

    package var start: Start
    package var segments: [SegmentSyntax]
    package var offset: Int

    package init(start: Start, segments: [SegmentSyntax], offset: Int) {
        self.start = start
        self.segments = segments
        self.offset = offset
    }

    package static func == (left: PathSyntax, right: PathSyntax) -> Bool {
        left.start == right.start && left.segments == right.segments
    }
}

/// One segment of a resource path or of a path in an expression.
package struct SegmentSyntax: Equatable {
    package indirect enum Kind: Equatable {
        /// `Products`, `Model.Manager`, `Products(1)`, `Top(count=3)`, `Top(count=3)(1)`; a key as a segment too, if it
        /// looks like a name: `ALFKI`
        case name
        /// `1`, `-1`, `O'Neil`: a key as a segment or the position of a member; only in resource paths.
        case text
        /// `@Core.Messages`, `@Measures.Currency#Reporting`; the name is without the sign.
        case annotation
        /// `$count`, `$count($filter=Price gt 5)`
        case count(OptionsSyntax?)
        /// `$ref`
        case ref
        /// `$value`
        case value
        /// `$each`
        case each
        /// `$query`
        case query
        /// `$all`, at the start
        case all
        /// `$crossjoin(Products,Sales)`, at the start
        case crossjoin([NameSyntax])
        /// `$filter(Price gt 5)`
        case filter(ExpressionSyntax)
        /// `any(i:i/Quantity gt 5)`; without a variable `any()`
        case lambda(LambdaOperator, variable: NameSyntax?, predicate: ExpressionSyntax?)
        /// `aggregate(Amount with sum)`: the function, not the transformation.
        case aggregate(AggregateSyntax)
        /// `$1`: what a request of the batch made, at the start; other names with a dollar sign.
        case reference
    }

    /// As written, with the dollar sign of system segments.
    package var name: NameSyntax
    package var kind: Kind
    /// What follows the name in parentheses: the parameters of a function, a key, or both one after the other.
    package var parentheses: [ParenthesesSyntax] = []

    package init(name: NameSyntax, kind: Kind, parentheses: [ParenthesesSyntax] = []) {
        self.name = name
        self.kind = kind
        self.parentheses = parentheses
    }
}

/// `()`, `(1)`, `(@key)`, `(OrderID=1,ProductID=2)`
package struct ParenthesesSyntax: Equatable {
    package enum Content: Equatable {
        case empty
        /// A key value: a literal or an alias; in expressions of a key too.
        case single(ExpressionSyntax)
        /// A key, or the parameters of a function.
        case named([ArgumentSyntax])
    }

    package var content: Content
    package var offset: Int

    package init(content: Content, offset: Int) {
        self.content = content
        self.offset = offset
    }

    package static func == (left: ParenthesesSyntax, right: ParenthesesSyntax) -> Bool { left.content == right.content }
}

/// `count=3`, `@p=Price gt 5`
package struct ArgumentSyntax: Equatable {
    package var name: NameSyntax
    package var value: ExpressionSyntax

    package init(name: NameSyntax, value: ExpressionSyntax) {
        self.name = name
        self.value = value
    }
}
