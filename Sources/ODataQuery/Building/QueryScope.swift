import Synchronization

/// The instance that part of an expression is about: the entity that is asked for, a member of a collection in a
/// lambda, one of those that are counted.
///
/// What is named of it knows its scope. How it is named in the URL depends on where it is there.
package struct QueryScope: Hashable, Sendable {
    private let number: Int

    private init(number: Int) { self.number = number }

    /// A unique one.
    package init() { self.init(number: Self.last.wrappingAdd(1, ordering: .relaxed).newValue) }

    /// The entity that the option is evaluated on: one of the collection, or of those that are expanded.
    package static let root = QueryScope(number: 0)

    private static let last = Atomic<Int>(0)
}
