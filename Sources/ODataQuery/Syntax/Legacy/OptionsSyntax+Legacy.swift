import ODataModel

/// Query options of V2, turned into those of V4.
extension SyntaxParser {
    /// `$inlinecount=allpages`, `!deltatoken='…'`; false if V2 does not define the option.
    static func legacyOption(
        _ name: NameSyntax, _ option: QuerySource.Option, of source: QuerySource, into options: inout OptionsSyntax
    ) throws(QueryError) -> Bool {
        let range = option.value ?? option.name.upperBound..<option.name.upperBound
        switch name.text.lowercased() {
        case "$inlinecount" where option.value != nil:
            switch source.string(range).lowercased() {
            case "allpages": options.count = true
            case "none": options.count = false
            default:
                throw source.error(
                    .syntax, "The text cannot be read from here.", at: range.lowerBound, expected: "allpages or none")
            }
            options.given.append(.init(option: .count, offset: name.offset))
        case "!deltatoken":
            guard !range.isEmpty else {
                throw source.error(
                    .syntax, "The text cannot be read from here.", at: range.lowerBound, expected: "'=' and a token")
            }
            options.deltaToken = source.string(range)
            options.given.append(.init(option: .deltatoken, offset: name.offset))
        default: return false
        }
        return true
    }
}

extension OptionsSyntax {
    /// Paths of `$expand` and `$select` become nested options: `$expand=A/B&$select=A/C` is
    /// `$expand=A($expand=B;$select=C)`.
    package mutating func nestLegacyPaths() {
        let items = expand
        expand = []
        for item in items { insert(item.path[...], at: item.offset) }
        let selected = select
        guard let selected else { return }
        select = nil
        given.removeAll { $0.option == .select }
        for item in selected {
            if case .path(let path) = item.kind { place(path[...], at: item.offset) } else { add(item) }
        }
    }

    /// The first navigation property of the path, with the types before it.
    private static func head(of path: ArraySlice<NameSyntax>) -> ArraySlice<NameSyntax> {
        let types = path.prefix { $0.isQualified }.count
        return path.prefix(types + 1)
    }

    private mutating func insert(_ path: ArraySlice<NameSyntax>, at offset: Int) {
        let head = Array(Self.head(of: path))
        if !given.contains(where: { $0.option == .expand }) { given.append(.init(option: .expand, offset: offset)) }
        let index =
            expand.firstIndex { $0.path == head }
            ?? {
                expand.append(ExpandSyntax(path: head, form: .entities, options: OptionsSyntax(), offset: offset))
                return expand.count - 1
            }()
        let rest = path.dropFirst(head.count)
        if !rest.isEmpty { expand[index].options.insert(rest, at: offset) }
    }

    private mutating func place(_ path: ArraySlice<NameSyntax>, at offset: Int) {
        if let index = expand.firstIndex(where: { path.starts(with: $0.path) && path.count > $0.path.count }) {
            let head = expand[index].path
            expand[index].options.place(path.dropFirst(head.count), at: offset)
            let link = SelectSyntax(kind: .path(head), offset: offset)
            if select?.contains(link) != true { add(link) }
        } else {
            let isAll = path.count == 1 && path.first?.text == "*"
            add(SelectSyntax(kind: isAll ? .all : .path(Array(path)), offset: offset))
        }
    }

    private mutating func add(_ item: SelectSyntax) {
        if select == nil { given.append(.init(option: .select, offset: item.offset)) }
        select = (select ?? []) + [item]
    }
}

extension [SegmentSyntax] {
    /// `Products(1)/$links/Category` is `Products(1)/Category/$ref`.
    func withoutLinks() -> [SegmentSyntax] {
        guard let index = firstIndex(where: { $0.name.text == "$links" }) else { return self }
        var segments = self
        let links = segments.remove(at: index)
        if segments.last?.kind != .count(nil) {
            segments.append(SegmentSyntax(name: NameSyntax(text: "$ref", offset: links.name.offset), kind: .ref))
        }
        return segments
    }
}
