import HTTPTypes
import OData
import ODataTesting
import Testing

@Suite("Bad responses to a download leave the store as it was, say what is wrong, and the next download goes on")
struct BadResponseTests {
    @Test("In the first download", arguments: BadResponse.all)
    func first(_ bad: BadResponse) async throws {
        let desk = try await Desk()
        desk.connection.breaking { Self.isSecondPage($0) ? bad.fault : nil }
        await expect(bad) { try await desk.store.download() }
        // The query whose page was bad shows nothing yet.
        #expect(try await desk.store.entities(try await desk.store.query("SalesOrders")).isEmpty)
        desk.connection.mend()
        try await desk.store.download()
        let pages = desk.connection.requests.filter { $0.path?.hasPrefix("/SalesOrders") ?? false }
        // It goes on at the page it reached.
        #expect(pages.first?.path?.contains("$skiptoken") == true, "\(pages.map { $0.path ?? "" })")
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test("In a refresh", arguments: BadResponse.all)
    func refresh(_ bad: BadResponse) async throws {
        let desk = try await Desk()
        try await desk.store.download()
        try desk.file.execute("UPDATE SalesOrders SET Note = 'changed there'")
        try desk.file.execute("DELETE FROM SalesOrders WHERE SalesOrderID = 1003")
        let before = try await desk.snapshot()
        desk.connection.breaking { $0.path?.hasPrefix("/SalesOrders") == true ? bad.fault : nil }
        await expect(bad) { try await desk.store.download(["orders"]) }
        #expect(try await desk.snapshot() == before)
        desk.connection.mend()
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test("JSON broken at byte n is told with n", arguments: [0, 1, 37, 216, 401, 600])
    func broken(offset: Int) async throws {
        let desk = try await Desk()
        var page = try await desk.page("/Products")
        page[offset] = 0x01
        let fault = TransportFault.body(page, contentType: "application/json")
        desk.connection.breaking { $0.path == "/Products" ? fault : nil }
        let bad = BadResponse(
            name: "", fault: fault, code: .invalidResponse, texts: ["(at byte \(offset))", "/Products"])
        await expect(bad) { try await desk.store.download(["products"]) }
        desk.connection.mend()
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test("A page truncated to n bytes is told with n", arguments: [1, 37, 200, 401, 600])
    func truncated(length: Int) async throws {
        let desk = try await Desk()
        let page = try await desk.page("/Products")
        let fault = TransportFault.body(Array(page.prefix(length)), contentType: "application/json")
        desk.connection.breaking { $0.path == "/Products" ? fault : nil }
        let bad = BadResponse(
            name: "", fault: fault, code: .invalidResponse, texts: ["(at byte \(length))", "/Products"])
        await expect(bad) { try await desk.store.download(["products"]) }
        desk.connection.mend()
        try await desk.store.download()
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    private static func isSecondPage(_ request: HTTPRequest) -> Bool {
        guard let path = request.path else { return false }
        return path.hasPrefix("/SalesOrders") && path.contains("$skiptoken")
    }

    private func expect(_ bad: BadResponse, _ body: () async throws -> some Sendable) async {
        do {
            _ = try await body()
            Issue.record("Nothing was wrong with \(bad.name).")
        } catch let error as ODataError {
            #expect(error.code == bad.code, "\(error.code.name): \(error)")
            for text in bad.texts { #expect("\(error)".contains(text), "\(error)") }
            #expect("\(error)".contains("/SalesOrders") || "\(error)".contains("/Products"), "\(error)")
        } catch {
            Issue.record("\(error) is not an error of a store.")
        }
    }
}
