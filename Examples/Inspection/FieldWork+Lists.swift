import OData

extension FieldWork {
    /// The inspections with their work orders and photos, most urgent first: a list, or with `updates` one that follows
    /// all changes.
    public var inspections: EntityCollection<Inspections> {
        field.inspections.expand(\.workOrder).expand(\.photos)
            .orderBy { $0.workOrder.priority }.orderBy(\.inspectionID)
    }

    /// Those of work orders that are not done.
    public var openInspections: EntityCollection<Inspections> {
        inspections.where { $0.workOrder.state != "done" }
    }

    /// - Throws: `ODataError` `notFound` where there is none.
    public func inspection(_ id: Int64) async throws -> Inspections {
        guard let inspection = try await inspections.find(id) else {
            throw ODataError(.notFound, "There is no inspection \(id) on this device.")
        }
        return inspection
    }

    /// The requests that wait for the service, in their order.
    public func waiting() async throws -> [QueueEntry] { try await store.queueEntries() }

    /// The entities that they change, by their ids.
    public func changedHere() async throws -> Set<String> { Set(try await waiting().compactMap(\.entity)) }
}
