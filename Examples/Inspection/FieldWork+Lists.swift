import OData

/// The entity sets of the store as an app shows them. Values that `annotations` adds mark what waits for the service.
extension EntityCollections {
    /// The work orders with their inspections and the photos of these, most urgent first.
    public var workOrders: EntityCollection<WorkOrders> {
        of(WorkOrders.self, in: "WorkOrders").expand(\.inspections.photos)
            .orderBy(\.priority).orderBy(\.workOrderID).annotations("OfflineStore.hasPendingChanges")
    }

    /// Those that are not done.
    public var openWorkOrders: EntityCollection<WorkOrders> { workOrders.where { $0.state != "done" } }

    /// The photos, whose streams are images.
    public var photos: EntityCollection<Photos> { of(Photos.self, in: "Photos") }
}

extension WorkOrders {
    /// Whether it, one of its inspections or one of their photos has changes that wait for the service.
    public var hasPendingChanges: Bool {
        let inspections = inspections ?? []
        return isPending || inspections.contains(where: \.isPending) || photos.contains(where: \.isPending)
    }

    /// Those of all its inspections.
    public var photos: [Photos] { (inspections ?? []).flatMap { $0.photos ?? [] } }
}

extension TypedEntity {
    fileprivate var isPending: Bool { origin?.annotations["OfflineStore.hasPendingChanges"] == true }
}

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
