extension SearchExpression {
    /// `bike AND ("mountain range" OR NOT road)`
    public var text: String { SyntaxWriter().text(.expression(self)) }
}
