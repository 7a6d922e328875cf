import ODataModel

/// An expression as written: of `$filter`, `$orderby`, `$compute`, `$apply`, or the value of a parameter.
package struct ExpressionSyntax: Equatable {
    /// Only what may hold itself is indirect: most expressions are literals and paths.
    package enum Kind: Equatable {
        /// `12`, `'abc'`, `null`; inside JSON `"abc"` too
        case literal(EdmValue)
        /// `geography'SRID=4326;Point(142.1 64.1)'`
        case geo(GeoLiteral)
        /// `Name`, `Category/Name`, `$it/Name`, `@p`, `Items/any(i:i/Quantity gt 5)`, `Model.Top(count=3)`
        case path(PathSyntax)
        indirect case not(ExpressionSyntax)
        indirect case negate(ExpressionSyntax)
        /// `a and b and c`: a whole chain, so that its length does not count as depth.
        case logical(BinaryOperator, [ExpressionSyntax])
        indirect case binary(BinaryOperator, ExpressionSyntax, ExpressionSyntax)
        /// `a in (1,2)`, `a in ()`
        indirect case inList(ExpressionSyntax, [ExpressionSyntax])
        /// `a in [1,2]`, `a in Items/Name`, `a in @list`: the right side is one expression.
        indirect case inCollection(ExpressionSyntax, ExpressionSyntax)
        /// `contains(a,b)`: a canonical function.
        case call(NameSyntax, [ExpressionSyntax])
        /// `case(Price gt 10:'dear',true:'cheap')`
        case conditional([BranchSyntax])
        /// `cast(Model.Manager)`, `cast(Price,Edm.String)`
        indirect case cast(ExpressionSyntax?, TypeNameSyntax)
        /// `isof(Model.Manager)`, `isof(Price,Edm.Decimal)`
        indirect case isOf(ExpressionSyntax?, TypeNameSyntax)
        /// `isdefined(Product)`: the path is kept as an expression.
        indirect case isDefined(ExpressionSyntax)
        /// `[1,Price]`
        case array([ExpressionSyntax])
        /// `{"Name":"Ada","Age":Age add 1}`
        case object([MemberSyntax])
    }

    package var kind: Kind
    /// Of the operator for binary operations, of the first character for others.
    package var offset: Int
    /// The longest way down to a leaf.
    package var height: Int

    package init(kind: Kind, offset: Int, height: Int) {
        self.kind = kind
        self.offset = offset
        self.height = height
    }

    package static func == (left: ExpressionSyntax, right: ExpressionSyntax) -> Bool { left.kind == right.kind }
}

/// `Price gt 10:'dear'`
package struct BranchSyntax: Equatable {
    package var condition: ExpressionSyntax
    package var value: ExpressionSyntax

    package init(condition: ExpressionSyntax, value: ExpressionSyntax) {
        self.condition = condition
        self.value = value
    }
}

/// `"Name":"Ada"`: a member of an object.
package struct MemberSyntax: Equatable {
    package var name: NameSyntax
    package var value: ExpressionSyntax

    package init(name: NameSyntax, value: ExpressionSyntax) {
        self.name = name
        self.value = value
    }
}
