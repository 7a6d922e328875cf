import ODataModel
import ODataQuery

/// A value that a store computes of a collection: now, and each time that it has changed.
///
/// What ``EntityCollection/updates`` says of stores and of errors holds here too.
public struct ValueUpdates<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    /// What computes the value, as a row of its own.
    let rows: EntityCollection<DynamicEntity>
    let value: @Sendable (EdmValue?) throws -> Value
    /// Asks a store that reports no changes.
    let read: @Sendable () async throws -> Value

    public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    /// Reads with the first call.
    public struct Iterator: AsyncIteratorProtocol {
        private let updates: ValueUpdates
        private var rows: CollectionUpdates<DynamicEntity>.Iterator?
        private var signals: AsyncStream<Void>.Iterator?
        private var last: Value?

        init(updates: ValueUpdates) {
            self.updates = updates
            if updates.rows.store is any LiveStore { rows = updates.rows.updates.makeAsyncIterator() }
        }

        public mutating func next() async -> Result<Value, ODataError>? {
            while true {
                guard let result = rows == nil ? await nextRead() : await nextRow() else { return nil }
                if case .success(let value) = result {
                    guard value != last else { continue }
                    last = value
                } else {
                    last = nil
                }
                return result
            }
        }

        private mutating func nextRow() async -> Result<Value, ODataError>? {
            guard let result = await rows?.next() else { return nil }
            do {
                let row = try result.get().first
                let value = row?[EntityCollection<DynamicEntity>.resultName].flatMap { $0.isNull ? nil : $0 }
                return .success(try updates.value(value))
            } catch {
                return .failure(ODataError(ofReading: error))
            }
        }

        private mutating func nextRead() async -> Result<Value, ODataError>? {
            if signals == nil {
                signals = updates.rows.collections.changes.signals().makeAsyncIterator()
            } else if await signals?.next() == nil {
                return nil
            }
            do { return .success(try await updates.read()) } catch {
                return Task.isCancelled ? nil : .failure(ODataError(ofReading: error))
            }
        }
    }
}

/// Values that are computed of all entities, followed.
extension EntityCollection {
    /// How many there are, whatever `top` and `skip` say.
    public var countUpdates: ValueUpdates<Int> {
        var all = self
        (all.query.top, all.query.skip) = (nil, nil)
        return ValueUpdates(rows: all.computed(.count)) {
            $0.flatMap(Self.number).map(Int.init) ?? 0
        } read: {
            [self] in
            try await count()
        }
    }

    /// The sum of what is not null; nil where there is nothing.
    public func sumUpdates<Wrapped: NumericPropertyValue>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>
    ) -> ValueUpdates<Wrapped?> {
        let sum = Aggregate(text(field), "sum")
        return ValueUpdates(rows: computed(sum)) {
            try Self.fitting($0)
        } read: { [self] in
            try Self.fitting(try await aggregate(sum))
        }
    }
}
