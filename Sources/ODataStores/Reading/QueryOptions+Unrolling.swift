import ODataModel
import ODataQuery

extension BoundQuery {
    /// The query with everything said that its options only hint at: `$levels` becomes nested `$expand` options, and the
    /// members of a `$crossjoin` that are not expanded get their links.
    ///
    /// The last level of `$levels=max` keeps that mark: where a store finds rows there, the data is deeper than it
    /// follows.
    /// - Throws: ``ODataError`` of code `badRequest` for more levels than `limit`.
    package func unrolled(model: EdmModel, limit: Int = ExpandLevels.limit) throws -> BoundQuery {
        var query = self
        var levels = ExpandLevels(model: model, limit: limit)
        query.options.expand = try levels.unrolled(options.expand)
        guard case .crossjoin(let sets) = path.root, options.apply == nil else { return query }
        let expanded = query.options.expand
        query.options.expand = sets.map { set in
            expanded.first { $0.navigation.name == set.name && $0.prefix.isEmpty } ?? ExpandItem(linkTo: set)
        }
        return query
    }
}

extension ExpandItem {
    /// A member of a `$crossjoin` of which only the link is given: `"Products@odata.navigationLink":"…"`.
    init(linkTo set: EdmEntitySet) {
        let navigation = EdmNavigationProperty(name: set.name, target: set.type.name, isCollection: false)
        self.init(navigation: navigation, targetSet: set, targetType: set.type, form: .references)
        levels = .number(0)
    }

    /// Whether this is what ``init(linkTo:)`` makes.
    var isLink: Bool { form == .references && levels == .number(0) }
}

/// Makes nested expand options of `$levels`.
///
/// [OData-Protocol, section 11.2.4.2.1.1]
package struct ExpandLevels {
    /// The depth of `$levels=max`, and what number it may be, where a store has no limit of its own.
    package static let limit = 32
    /// How many navigation properties a query may expand in all once levels are unrolled.
    private static let maxItems = 2000

    let model: EdmModel
    let limit: Int
    private var items = 0

    init(model: EdmModel, limit: Int) {
        self.model = model
        self.limit = limit
    }

    mutating func unrolled(_ expand: [ExpandItem]) throws -> [ExpandItem] {
        var result: [ExpandItem] = []
        for item in expand where item.levels != .number(0) || item.isLink {
            items += 1
            guard items <= Self.maxItems else {
                throw ODataError(
                    .badRequest,
                    "The query expands more than \(Self.maxItems) navigation "
                        + "properties in all.")
            }
            result.append(try unrolled(item))
        }
        return result
    }

    private mutating func unrolled(_ item: ExpandItem) throws -> ExpandItem {
        guard !item.isLink else { return item }
        switch item.levels {
        case .number(let levels) where levels > limit:
            throw ODataError(.badRequest, "$levels is at most \(limit) here.")
        case .number(let levels): return try nested(item, levels: levels, isMax: false)
        case .max: return try nested(item, levels: limit, isMax: true)
        case nil:
            var item = item
            item.options.expand = try unrolled(item.options.expand)
            return item
        }
    }

    /// The item with itself in its own options, as long as there are levels and the target has the navigation property.
    private mutating func nested(_ item: ExpandItem, levels: Int, isMax: Bool) throws -> ExpandItem {
        var item = item
        let others = item.options.expand.filter { $0.navigation != item.navigation || $0.prefix != item.prefix }
        var inner = item
        let isRecursive = item.isRecursive
        item.levels = isMax && isRecursive && levels == 1 ? .max : nil
        item.options.expand = try unrolled(others)
        guard levels > 1, isRecursive else { return item }
        items += 1
        guard items <= Self.maxItems else {
            throw ODataError(.badRequest, "The query expands more than \(Self.maxItems) navigation properties in all.")
        }
        inner.options.expand = others
        item.options.expand.append(try nested(inner, levels: levels - 1, isMax: isMax))
        return item
    }
}

extension ExpandItem {
    /// Whether the entities that this leads to have the same navigation property.
    fileprivate var isRecursive: Bool {
        let casts = prefix.compactMap { step in
            if case .cast(let type) = step { type } else { nil }
        }
        if let type = casts.last, prefix.count == 1 {
            return type.isKind(of: targetType) || targetType.isKind(of: type)
        }
        return targetType.navigationProperty(named: navigation.name) == navigation && prefix.isEmpty
    }
}
