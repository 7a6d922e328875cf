import Foundation
import OData
import Testing
import ToolSupport

@Suite("The example of a service", .enabled(if: Example.isWanted, Example.absence))
struct FieldServiceTests {
    @Test("Its function returns a value, and its action ends a work order with an inspection, once")
    func operations() async throws {
        let scratch = try Scratch()
        let running = try RunningTool([scratch.folder + "/field.db", "--port", "0"], of: "FieldService")
        defer { running.send(SIGKILL) }
        let client = try FieldClient(try #require(running.nextLine()))
        let orders = client.collections["WorkOrders"]
        let open = orders.where { $0["State"] != "done" }
        let before = try await open.count()
        let counted: Int32 = try await client.collections.function("OpenWork").value()
        #expect(before > 0 && counted == Int32(before))

        let found = try await open.first()
        let order = try #require(found)
        let arguments: KeyValuePairs<String, EdmValue?> = ["Inspector": .string("Ada"), "Result": .string("passed")]
        try await orders.action("field.Finish", of: order, arguments)
        #expect(try await open.count() == before - 1)
        let inspections = client.collections["Inspections"]
        let last = inspections.where { $0["Inspector"] == "Ada" }
        #expect(try await last.first()?["WorkOrderID"] == order["WorkOrderID"])
        await #expect { try await orders.action("field.Finish", of: order, arguments) } throws: {
            ($0 as? ODataError)?.code == .conflict
        }
        #expect(try await last.count() == 1)
        running.send(SIGTERM)
        #expect(await running.finish().status == 0)
    }
}
