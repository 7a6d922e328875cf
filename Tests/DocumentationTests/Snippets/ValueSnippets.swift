import Foundation
import OData
import ODataUI
import Testing

@Suite("The articles on values and on lists")
struct ValueSnippets {
    @Test("Values")
    func values() async throws {
        let site = try FieldSite()
        defer { withExtendedLifetime(site) {} }
        let collections = EntityCollections(try await site.device())
        // snippet: values typed
        var inspection = Inspections(workOrderID: 5001, inspectedAt: .now, inspector: "Ada")
        inspection.inspectedAt = EdmDateTimeOffset(Date(timeIntervalSince1970: 1_700_000_000))
        inspection.inspectedAt = try EdmDateTimeOffset(parsing: "2026-02-28T08:30:00+01:00")
        // end
        #expect(inspection.inspectedAt?.offsetMinutes == 60)
        try await payload(collections)
    }

    private func payload(_ collections: EntityCollections) async throws {
        // snippet: values payload
        let remarks: String? = nil
        let payload: EdmComplexValue = [
            "WorkOrderID": 5001, "Inspector": "Ada", "InspectedAt": "2026-02-28T08:30:00Z",
            "Remarks": EdmValue(remarks),
        ]
        let inspection = try await collections["Inspections"].create(DynamicEntity(payload))
        // end
        let instant = try EdmDateTimeOffset(parsing: "2026-02-28T08:30:00Z")
        #expect(inspection["InspectedAt"] == .dateTimeOffset(instant) && inspection["Remarks"] == .null)
    }

    @Test("Identity")
    func identity() async throws {
        let site = try FieldSite()
        defer { withExtendedLifetime(site) {} }
        let store = try await site.device()
        let inspections = EntityCollections(store).of(Inspections.self, in: "Inspections")
        let other = try await inspections.create(Inspections(workOrderID: 5002, inspector: "Bob"))
        // snippet: lists identity
        let made = try await inspections.create(Inspections(workOrderID: 5001, inspector: "Ada"))
        try await store.upload()
        let sent = try await inspections.find(made.id)
        let conflict = try await store.conflict(of: made.id)
        for await result in try inspections.entity(made.id).updates.prefix(1) { show(result) }
        // end
        #expect(made.inspectionID == 0 && other.inspectionID == 0 && other.id != made.id)
        #expect(sent?.id == made.id && sent?.inspector == "Ada" && sent?.inspectionID != 0 && conflict == nil)
    }

    @MainActor
    @Test("Observed objects")
    func observed() async throws {
        let site = try FieldSite()
        defer { withExtendedLifetime(site) {} }
        let inspections = EntityCollections(try await site.device()).of(Inspections.self, in: "Inspections")
        // snippet: lists observed
        let open = FetchedEntities(inspections.where { $0.result == nil }.orderBy(\.inspectedAt))
        let count = FetchedValue(countOf: inspections.where { $0.result == nil })
        // end
        #expect(open.isLoading && count.isLoading)
    }
}
