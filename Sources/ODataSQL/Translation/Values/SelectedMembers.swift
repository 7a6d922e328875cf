import ODataModel
import ODataQuery

/// The members of complex values that `$select` requests: those of `Address` for `Address/City,Address/Geo/Lat`.
///
/// [OData-URL, section 5.1.4]
struct SelectedMembers {
    private var members: [(name: String, selected: SelectedMembers)] = []
    /// The names of members whose type is not in the model: computed and dynamic ones.
    private var typed: Set<String> = []
    /// Whether the whole value is requested.
    private var isWhole = false
    /// The options of `Tags($filter=…;$top=2)`.
    private var options: QueryOptions?

    init(_ items: [SelectItem]?) {
        for item in items ?? [] {
            switch item {
            case .property(let path): add(path.map(\.name)[...], options: nil)
            case .path(let steps, let options):
                add(steps.compactMap(\.property?.name)[...], options: options)
                if options == nil, steps.count == 1, let name = steps.first?.property?.name { typed.insert(name) }
            case .all, .navigation, .operation: break
            }
        }
    }

    /// The members of a complex value, or of those of a collection, that `$select` requests; nil for all.
    init?(value items: [SelectItem]?) {
        guard let items, !items.isEmpty, !items.contains(.all) else { return nil }
        self.init(items)
    }

    /// The requested members of a property; nil for all.
    subscript(name: String) -> SelectedMembers? {
        guard let found = members.first(where: { $0.name == name })?.selected else { return nil }
        return found.isWhole && found.options == nil ? nil : found
    }

    private mutating func add(_ path: ArraySlice<String>, options: QueryOptions?) {
        guard let name = path.first else {
            self.options = options ?? self.options
            let nested = SelectedMembers(options?.select)
            if nested.members.isEmpty { isWhole = true } else { members += nested.members }
            typed.formUnion(nested.typed)
            return
        }
        if let position = members.firstIndex(where: { $0.name == name }) {
            members[position].selected.add(path.dropFirst(), options: options)
        } else {
            var selected = SelectedMembers(nil)
            selected.add(path.dropFirst(), options: options)
            members.append((name, selected))
        }
    }

    /// The JSON of `value` with these members only.
    ///
    /// - Throws: `notImplemented` for options that are not supported.
    func trim(_ value: Term, type: EdmTypeReference, scope: TableScope) throws -> Term {
        guard case .collection(let element) = type else {
            try checkHasSelectOnly()
            return Term(object(value.sql, at: .bound(.text("$"))), .json)
        }
        for member in members { try member.selected.checkHasSelectOnly() }
        if options?.count == true { throw ExpressionTranslator.unsupported("$count=true inside $select") }
        let list = CollectionValue(array: value.sql, element: element, scope: scope)
        return Term(try list.json(options ?? QueryOptions()) { object(value.sql, at: $0) }, .json)
    }

    /// `Home($select=City)`; options of a single value, or of a collection inside of a value, are not supported.
    private func checkHasSelectOnly() throws {
        for member in members { try member.selected.checkHasSelectOnly() }
        guard var rest = options else { return }
        rest.select = nil
        guard rest == QueryOptions() else {
            throw ExpressionTranslator.unsupported(
                "an option other than $select inside $select, where no collection of the instance itself is selected")
        }
    }

    /// The JSON of the value at `path` in `value`: `json_object('City', value -> '$.City')`.
    private func object(_ value: SQLFragment, at path: SQLFragment) -> SQLFragment {
        let whole = value.member(at: path)
        guard !isWhole, !members.isEmpty else { return whole }
        let parts: [SQLFragment] = members.flatMap { name, selected -> [SQLFragment] in
            [.bound(.text(name)), .call("json", [selected.object(value, at: path.appending(member: name))])]
        }
        let object = SQLFragment.call("json_object", parts)
        // Null members are not added.
        let types = ["@odata.type"] + typed.sorted().map { "\($0)@odata.type" }
        let control = types.flatMap { name -> [SQLFragment] in
            [.bound(.text(name)), .call("json", [value.member(at: path.appending(member: name))])]
        }
        let told = SQLFragment.call("json_patch", [object, .call("json_object", control)])
        let kind = SQLFragment.call("json_type", [value, path])
        return "CASE " + kind + " WHEN 'object' THEN " + told + " ELSE " + whole + " END"
    }
}

extension SQLFragment {
    /// `value -> '$.City'`: the JSON text, with all digits of numbers.
    func member(at path: SQLFragment) -> SQLFragment { (self + " -> " + path).parenthesised }

    /// The JSON path of a member.
    func appending(member name: String) -> SQLFragment {
        if case .binding(.text(let path)) = segments.first, segments.count == 1 {
            return .bound(.text(path + ".\"\(name)\""))
        }
        return (self + " || " + .bound(.text(".\"\(name)\""))).parenthesised
    }
}
