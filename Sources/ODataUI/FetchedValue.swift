import OData
import Observation

/// A number that a store computes of a collection, as it is now, for views: how many there are, or a sum.
///
/// ```swift
/// @State private var count = FetchedValue(countOf: service.orders.where { $0.isOpen })
/// @State private var total = FetchedValue(sumOf: \.amount, in: service.orders)
/// ```
@MainActor @Observable
public final class FetchedValue<Value: Equatable & Sendable> {
    /// The value; nil where none was read yet.
    public private(set) var value: Value?
    /// Whether nothing was read yet.
    public private(set) var isLoading = true
    /// Why the last read failed; nil after one that succeeded.
    public private(set) var error: ODataError?

    @ObservationIgnored private let followed = FollowedSequence()

    /// Follows `EntityCollection.countUpdates` and the like.
    public init(_ updates: ValueUpdates<Value>) {
        followed.follow(updates) { [weak self] result in
            self?.take(result)
            return self != nil
        } end: { [weak self] in
            self?.isLoading = false
        }
    }

    /// How many entities there are.
    public convenience init<Element>(countOf collection: EntityCollection<Element>) where Value == Int {
        self.init(collection.countUpdates)
    }

    /// The sum of a property; nil where there is nothing to add.
    public convenience init<Element, Wrapped: NumericPropertyValue>(
        sumOf field: KeyPath<Element.Fields, QueryOperand<Wrapped>>, in collection: EntityCollection<Element>
    ) where Value == Wrapped? {
        self.init(collection.sumUpdates(field))
    }

    /// Sees no more changes. The value stays.
    public func stop() {
        followed.stop()
        isLoading = false
    }

    private func take(_ result: Result<Value, ODataError>) {
        isLoading = false
        switch result {
        case .success(let value): (self.value, error) = (value, nil)
        case .failure(let failure): error = failure
        }
    }
}
