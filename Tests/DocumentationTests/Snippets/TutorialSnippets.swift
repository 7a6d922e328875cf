import OData
import Synchronization
import Testing

@Suite("The end of the tutorial")
final class TutorialSnippets {
    private let lines = Mutex<[String]>([])

    private func print(_ items: Any...) {
        lines.withLock { $0.append(items.map { "\($0)" }.joined(separator: " ")) }
    }

    // snippet: the list with structures
    func list(_ store: OfflineStore) async throws {
        let open = FieldService(store).workOrders.where { $0.state != "done" && !$0.inspections.isEmpty }
        let orders = open.orderBy(\.priority).orderBy(\.workOrderID).top(3)
        for order in try await orders.expand(\.inspections, { $0.expand(\.photos) }).findAll() {
            print(order.entityID ?? "", order.state, order.title)
            for inspection in order.inspections ?? [] {
                let captions = inspection.photos?.compactMap(\.caption) ?? []
                print("   ", inspection.entityID ?? "", captions.joined(separator: ", "))
            }
        }
    }
    // end

    @Test("The list with structures is the list without")
    func sameList() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        try await list(store)
        let options = "$filter=State ne 'done' and Inspections/any()&$orderby=Priority,WorkOrderID&$top=3"
        let query = try await store.query("WorkOrders?\(options)&$expand=Inspections($expand=Photos)")
        let expected = try await store.entities(query).flatMap { order -> [String] in
            let first = "\(order.id ?? "") \(order["State"]?.lexical ?? "") \(order["Title"]?.lexical ?? "")"
            guard case .many(let inspections, _)? = order.expanded["Inspections"] else { return [first] }
            return [first]
                + inspections.map { inspection in
                    guard case .many(let photos, _)? = inspection.expanded["Photos"] else { return "" }
                    let captions = photos.compactMap { $0["Caption"]?.lexical }
                    return "    \(inspection.id ?? "") \(captions.joined(separator: ", "))"
                }
        }
        #expect(expected.count > 3 && lines.withLock { $0 } == expected)
    }
}
