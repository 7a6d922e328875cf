import ODataModel
import ODataQuery
import ODataStores
import TestSupport
import Testing

@testable import ODataSQLite

private let northwind = TestData.url("northwind/northwind.db")

@Suite(
    "Northwind as a service",
    .enabled(if: northwind != nil, Comment(rawValue: TestData.absence)))
struct NorthwindTests {
    private func store(_ configure: (inout SQLiteStore.Configuration) -> Void = { _ in }) throws -> (
        SampleFile, SQLiteStore
    ) {
        let file = try SampleFile(northwind: try #require(northwind))
        let store = try file.store {
            $0.media = [
                MediaColumn(set: "Employees", column: "Photo", contentType: "image/jpeg"),
                MediaColumn(set: "Categories", column: "Picture"),
            ]
            configure(&$0)
        }
        return (file, store)
    }

    @Test("The model has the sets, keys and relations")
    func model() async throws {
        let (_, store) = try store()
        let model = try await store.model()
        #expect(model.entitySets.count == 13)
        #expect(model.namespace == "northwind")
        #expect(model.entitySet(named: "Order_Details")?.type.key == ["OrderID", "ProductID"])
        let employees = try #require(model.entitySet(named: "Employees")?.type)
        #expect(
            employees.navigationProperties.map(\.name) == [
                "ReportsTo_Employees", "Employees_ReportsTo", "EmployeeTerritories", "Orders",
            ])
        #expect(employees.hasStream && employees.property(named: "BirthDate")?.type == .primitive(.date))
        #expect(
            model.entitySet(named: "Orders")?.type.navigationProperties.map(\.name) == [
                "Employee", "Customer", "ShipVia_Shippers", "Order_Details",
            ])
        #expect(store.notices.filter { !$0.contains("has no index") }.count == 16)
    }

    @Test("Every set can be read, expanded and tracked")
    func reads() async throws {
        let (_, store) = try store { $0.tracksChanges = true }
        for set in try await store.model().entitySets {
            let tracked = try await store.tracked(set.name)
            #expect(tracked.deltaLink != nil)
            for navigation in set.type.navigationProperties {
                _ = try await store.entities("\(set.name)?$expand=\(navigation.name)&$top=3")
            }
        }
        let orders = try await store.entities(
            "Orders?$filter=Customer/Country eq 'Germany' and OrderDate ge 1997-01-01T00:00:00Z&$orderby=Freight desc&$top=2&$expand=Order_Details($expand=Product)"
        )
        #expect(orders.count == 2)
    }

    @Test("Pictures are served and a change comes back")
    func pictures() async throws {
        let (file, store) = try store()
        for employee in try await store.entities("Employees") {
            guard case .integer(let id)? = employee["EmployeeID"] else { continue }
            let stream = try await store.stream("Employees(\(id))/$value")
            #expect(stream.contentType == "image/jpeg")
            let bytes = try await stream.content.collect(upTo: 1_000_000)
            #expect(try file.value("SELECT length(Photo) FROM Employees WHERE EmployeeID = \(id)") == "\(bytes.count)")
        }
        let result = try await store.update("Orders(10248)", ["ShipCity": .string("Paris")])
        #expect(result.entity?["ShipCity"] == .string("Paris"))
        #expect(try file.value("SELECT OrderDate FROM Orders WHERE OrderID = 10248") == "1996-07-04 00:00:00.000")
    }
}
