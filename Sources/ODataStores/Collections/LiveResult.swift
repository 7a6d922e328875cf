import ODataModel

/// What a live query gives at one moment, and how it differs from what it gave before.
public struct LiveResult: Sendable {
    /// What the query gives, by the kind of resource that its path leads to.
    public enum Content: Hashable, Sendable {
        /// All entities of the result, in its order; one or none for a path to one entity.
        case entities([EdmEntity])
        /// The value of a property.
        case value(EdmValue)
        /// `/$count`
        case count(Int64)
        /// A navigation property that is not set, or a property that is null.
        case nothing
    }

    /// The result itself.
    public var content: Content
    /// `@odata.count`, where the query asks for it.
    public var count: Int64?
    /// How the entities differ from those of the last result; nil for the first one, and for other results than a
    /// collection of entities.
    public var difference: LiveDifference?

    package init(content: Content, count: Int64? = nil, difference: LiveDifference? = nil) {
        (self.content, self.count, self.difference) = (content, count, difference)
    }

    /// The entities; empty for values and counts.
    public var entities: [EdmEntity] {
        if case .entities(let entities) = content { entities } else { [] }
    }
}

/// How one list of entities becomes another.
///
/// Positions are those of lists in user interfaces: take out the removals (positions before) and what moves, then put
/// in the insertions and what has moved (positions after); changes are of entities that are in both.
public struct LiveDifference: Hashable, Sendable {
    /// An entity that is in both lists.
    public struct Step: Hashable, Sendable {
        /// The position before.
        public var from: Int
        /// The position after.
        public var to: Int
    }

    /// Positions before, ascending.
    public private(set) var removals: [Int] = []
    /// Positions after, ascending.
    public private(set) var insertions: [Int] = []
    /// Entities whose order among those that stay is another.
    public private(set) var moves: [Step] = []
    /// Entities with other values, moved or not.
    public private(set) var changes: [Step] = []

    /// Whether the lists are equal.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty && changes.isEmpty }

    /// Entities are the same if the ids are that they had first on this device; rows without id (those of `$apply`) if
    /// all their values are.
    public init(from old: [EdmEntity], to new: [EdmEntity]) {
        let before = Self.identities(of: old)
        var positions = Dictionary(zip(before, before.indices)) { first, _ in first }
        var kept: [Step] = []
        for (to, identity) in Self.identities(of: new).enumerated() {
            guard let from = positions.removeValue(forKey: identity) else {
                insertions.append(to)
                continue
            }
            kept.append(Step(from: from, to: to))
            if old[from] != new[to] { changes.append(Step(from: from, to: to)) }
        }
        removals = positions.values.sorted()
        let staying = Self.longestRise(kept.map(\.from))
        moves = zip(kept, staying).filter { !$0.1 }.map(\.0)
    }
}

extension LiveDifference {
    private struct Identity: Hashable {
        enum Name: Hashable {
            case id(String)
            case values(EdmEntity)
        }

        let name: Name
        /// Rows may be there more than once.
        let occurrence: Int
    }

    private static func identities(of entities: [EdmEntity]) -> [Identity] {
        var counts: [Identity.Name: Int] = [:]
        return entities.map { entity in
            let name: Identity.Name = (entity.firstID ?? entity.id).map { .id($0) } ?? .values(entity)
            let occurrence = counts[name, default: 0]
            counts[name] = occurrence + 1
            return Identity(name: name, occurrence: occurrence)
        }
    }

    /// Which of the numbers belong to a longest ascending selection: the others are as few as can be.
    private static func longestRise(_ numbers: [Int]) -> [Bool] {
        /// For each length the position of the least number that ends a selection of it.
        var ends: [Int] = []
        var previous = Array(repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            // Mostly the order is kept.
            var length = ends.count
            if let last = ends.last, numbers[last] >= number {
                length = ends.partitioningIndex { numbers[$0] >= number }
            }
            if length > 0 { previous[position] = ends[length - 1] }
            if length == ends.count { ends.append(position) } else { ends[length] = position }
        }
        var isMember = Array(repeating: false, count: numbers.count)
        var position = ends.last ?? -1
        while position >= 0 {
            isMember[position] = true
            position = previous[position]
        }
        return isMember
    }
}

extension [Int] {
    /// The first position for which `isBehind` holds, which it does for all after it.
    fileprivate func partitioningIndex(_ isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
