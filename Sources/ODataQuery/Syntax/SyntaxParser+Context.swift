import ODataModel

/// Context URLs.
///
/// [OData-ABNF, section 3: Context URL Fragments]
extension SyntaxParser {
    /// `contextFragment`, from after the sign.
    package mutating func contextFragment() throws(QueryError) -> ContextSyntax {
        var context = ContextSyntax(path: [], isCollection: false, select: nil, suffix: nil)
        if isNext("$") {
            context.path = [SegmentSyntax(name: systemName(), kind: .ref)]
            guard context.path.first?.name.text == "$ref", isAtEnd else { throw unexpected("the end") }
            return context
        }
        let first = try name("an entity set, a singleton or a type")
        context.path = [SegmentSyntax(name: first, kind: .name)]
        if first.text == "Collection", try contextCollection(&context) { return context }
        try contextPath(&context)
        guard isAtEnd else { throw unexpected("'/', '(' or the end") }
        return context
    }

    /// `Collection($ref)`, `Collection(Edm.String)`
    private mutating func contextCollection(_ context: inout ContextSyntax) throws(QueryError) -> Bool {
        let start = offset
        guard consume("(") else { return false }
        let inner = try isNext("$") ? systemName() : name("a type")
        guard consume(")"), inner.isQualified || inner.text == "$ref" else {
            offset = start
            return false
        }
        context.isCollection = true
        context.path = [SegmentSyntax(name: inner, kind: inner.isQualified ? .name : .ref)]
        if isNext("(") { context.select = try contextSelectList() }
        guard isAtEnd else { throw unexpected("the end") }
        return true
    }

    /// `containmentNavigation`, `navigation`: what follows an entity set or singleton, a segment without a name.
    package mutating func contextNavigation() throws(QueryError) -> ContextSyntax {
        let first = SegmentSyntax(name: NameSyntax(text: "", offset: offset), kind: .name)
        var context = ContextSyntax(path: [first], isCollection: false, select: nil, suffix: nil)
        try contextPath(&context)
        return context
    }

    private mutating func contextPath(_ context: inout ContextSyntax) throws(QueryError) {
        while !isAtEnd {
            if isNext("(") {
                guard context.select == nil else { throw unexpected("'/' or the end") }
                try contextParentheses(&context)
                continue
            }
            try expect("/", "'/', '(' or the end")
            if isNext("$") {
                context.suffix = try contextSuffix()
                return
            }
            guard context.select == nil else { throw unexpected("$entity or $delta") }
            context.path.append(SegmentSyntax(name: try name("a navigation property or a type"), kind: .name))
        }
    }

    private mutating func contextSuffix() throws(QueryError) -> NameSyntax {
        let start = offset
        let suffix = systemName()
        guard ["$entity", "$delta", "$deletedEntity", "$link", "$deletedLink"].contains(suffix.text), isAtEnd else {
            offset = start
            throw unexpected("$entity, $delta, $deletedEntity, $link or $deletedLink")
        }
        return suffix
    }

    /// A key if a name follows, else a list of what was selected.
    private mutating func contextParentheses(_ context: inout ContextSyntax) throws(QueryError) {
        guard isContextKey else {
            context.select = try contextSelectList()
            return
        }
        guard let last = context.path.indices.last, context.path[last].parentheses.isEmpty else {
            throw unexpected("'/'")
        }
        context.path[last].parentheses = [try pathParentheses()]
    }

    private var isContextKey: Bool {
        var ahead = self
        guard (try? ahead.pathParentheses()) != nil, ahead.consume("/") else { return false }
        return !ahead.isNext("$")
    }

    /// `selectList`
    package mutating func contextSelectList() throws(QueryError) -> [ContextSelectSyntax] {
        try enter()
        defer { leave() }
        try expect("(")
        var items: [ContextSelectSyntax] = []
        if consume(")") { return items }
        repeat {
            try tally()
            items.append(try contextSelectItem())
        } while consume(",")
        try expect(")", "',' or ')'")
        return items
    }

    /// `selectListItem`
    package mutating func contextSelectItem() throws(QueryError) -> ContextSelectSyntax {
        let start = offset
        if consume("*") {
            return ContextSelectSyntax(
                path: [NameSyntax(text: "*", offset: start)], isRecursive: false, select: nil)
        }
        var item = ContextSelectSyntax(path: try namePath("a property or '*'"), isRecursive: false, select: nil)
        if isNext("."), isNext("*", 1), item.path.count == 1 {
            offset += 2
            item.path[0].text += ".*"
            return item
        }
        item.isRecursive = consume("+")
        if isNext("(") { item.select = try contextSelectList() }
        return item
    }
}
