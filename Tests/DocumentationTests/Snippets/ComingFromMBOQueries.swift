import OData
import ODataTesting
import Synchronization
import Testing

extension ComingFromMBO {
    @Test("Each condition finds what it says")
    func conditions() async throws {
        let site = try FieldSite()
        let field = FieldService(try await site.device())
        // snippet: MBO conditions
        let orders = field.salesOrders
        let one = orders.where { $0.salesOrderID == 1010 }
        let others = orders.where { $0.salesOrderID != 1010 }
        let less = orders.where { $0.salesOrderID < 1010 }
        let most = orders.where { $0.salesOrderID <= 1010 }
        let more = orders.where { $0.salesOrderID > 1010 }
        let least = orders.where { $0.salesOrderID >= 1010 }
        let listed = orders.where { $0.salesOrderID.isIn([1000, 1001]) }
        let unlisted = orders.where { !$0.salesOrderID.isIn([1000, 1001]) }
        let plain = orders.where { $0.note == nil }
        let noted = orders.where { $0.note != nil }
        let starting = noted.where { $0.note.hasPrefix("Deliver") }
        let notStarting = noted.where { !$0.note.hasPrefix("Deliver") }
        let ending = noted.where { $0.note.hasSuffix("gate 1") }
        let notEnding = noted.where { !$0.note.hasSuffix("gate 1") }
        let containing = noted.where { $0.note.contains("gate") }
        let lacking = noted.where { !$0.note.contains("gate 1") }
        let matching = noted.where { $0.note.matches("gate [1-3]$") }
        let unmatched = noted.where { !$0.note.matches("gate [1-3]$") }
        let large = orders.where { $0.salesOrderItems.contains { $0.quantity >= 5 } }
        let small = orders.where { !$0.salesOrderItems.contains { $0.quantity >= 5 } }
        // end
        let numbers = [(one, 1), (others, 29), (less, 10), (most, 11), (more, 19), (least, 20)]
        let lists = [(listed, 2), (unlisted, 28), (plain, 24), (noted, 6)]
        // Every fifth order is delivered to a gate: 1, 6, 2, 7, 3 and 8.
        let texts = [(starting, 6), (notStarting, 0), (ending, 1), (notEnding, 5), (containing, 6), (lacking, 5)]
        let patterns = [(matching, 3), (unmatched, 3)]
        for (condition, count) in numbers + lists + texts + patterns {
            #expect(try await condition.count() == count, "\(condition.url)")
        }
        let all = try await orders.expand(\.salesOrderItems).findAll()
        let largest = all.filter { order in order.salesOrderItems?.contains { $0.quantity >= 5 } == true }
        #expect(!largest.isEmpty)
        #expect(try await large.count() == largest.count)
        #expect(try await small.count() == 30 - largest.count)
    }

    @Test("Each side of a join is one request")
    func joins() async throws {
        let site = try FieldSite()
        let paths = Mutex<[String]>([])
        let field = FieldService(
            try site.online(
                FaultPlan { attempt in
                    paths.withLock { $0.append(attempt.request.path ?? "") }
                    return nil
                }))
        let products = try await field.products.findAll()
        paths.withLock { $0 = [] }
        // snippet: MBO joins
        let sold = try await field.salesOrderItems.joined(with: field.products, on: \.productID, equals: \.productID)
        for (item, products) in sold { show(item.quantity, products.first?.name) }
        // end
        let requests = paths.withLock { $0 }
        #expect(requests.count == 2)
        #expect(requests.first == "/SalesOrderItems")
        #expect(requests.last?.hasPrefix("/Products?$filter=ProductID%20in%20") == true)
        let names = Dictionary(uniqueKeysWithValues: products.map { ($0.productID, $0.name) })
        #expect(try await field.salesOrderItems.count() == sold.count)
        #expect(Set(sold.map { $0.element.productID }).count > 1)
        for (item, others) in sold {
            #expect(others.count == 1)
            #expect(others.first?.name == names[item.productID])
        }
    }
}
