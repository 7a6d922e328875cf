import HTTPTypes
import Testing

@testable import ODataService

@Suite("Limits of work", .timeLimit(.minutes(5)))
struct WorkLimitTests {
    /// Combinations of rows without end.
    private static let join = "$crossjoin(Products,Categories,Photos,Order_Details)"

    private func file(_ time: Duration?, also sql: String = "") throws -> PublishedFile {
        var limits = ServiceLimits()
        limits.queryTime = time
        let file = try PublishedFile(limits: limits)
        let numbers = "WITH n(n) AS (VALUES (100) UNION ALL SELECT n + 1 FROM n WHERE n < 600)"
        try file.execute(
            """
            \(numbers) INSERT INTO Products (ID, Name) SELECT n, n FROM n;
            \(numbers) INSERT INTO Categories (ID, Name) SELECT n, n FROM n;
            \(numbers) INSERT INTO Photos (ID, Title) SELECT n, n FROM n;
            \(numbers) INSERT INTO "Order Details" (OrderID, ProductID) SELECT n, n FROM n;
            \(sql)
            """)
        return file
    }

    @Test(
        "a request that takes the database too long is 503 and says so",
        arguments: [
            "GET \(join)/$count",
            "GET \(join)?$filter=Products/ID add Categories/ID add Photos/ID add Order_Details/OrderID eq -1",
            "GET \(join)?$orderby=Photos/Title desc",
            "GET \(join)?$count=true&$top=1", "GET \(join)?$apply=aggregate(Products/ID with average as M)",
            "POST \(join)/$query\nContent-Type: text/plain\n\n$filter=Products/ID add Categories/ID add Photos/ID add Order_Details/OrderID eq -1",
        ])
    func time(request: String) async throws {
        let response = try await file(.milliseconds(60)).responseText(request)
        #expect(response.hasPrefix("503"), "\(response)")
        #expect(response.contains("longer than the limit of 0.06 s"), "\(response)")
    }

    @Test("a part of a batch has its own time")
    func batch() async throws {
        let file = try file(.milliseconds(60))
        let response = try await file.responseText(
            "POST $batch\nContent-Type: application/json\n\n"
                + #"{"requests":[{"id":"1","method":"get","url":"\#(Self.join)/$count"},"#
                + #"{"id":"2","method":"get","url":"Products(1)/Name"}]}"#)
        #expect(response.contains(#""status":503"#) && response.contains(#""value":"Tea""#), "\(response)")
    }

    @Test("a change that takes too long is taken back")
    func change() async throws {
        let trigger = """
            CREATE TRIGGER slow AFTER UPDATE ON Products WHEN new.Name = 'Slow'
            BEGIN DELETE FROM Photos WHERE (SELECT count(*) FROM Photos, Products, Categories, "Order Details") < 0; END;
            """
        let file = try file(.milliseconds(60), also: trigger)
        let change = "PATCH Products(1)\nContent-Type: application/json\n\n"
        let response = try await file.responseText(change + #"{"Name":"Slow"}"#)
        #expect(response.hasPrefix("503") && response.contains("limit of 0.06 s"), "\(response)")
        #expect(try await file.responseText("GET Products(1)/Name/$value") == "200\n\nTea")
        #expect(try await file.responseText(change + #"{"Name":"Fast"}"#).hasPrefix("20"))
    }

    @Test("without a limit work ends with its task")
    func cancelled() async throws {
        let file = try file(nil)
        let text = file.text
        let task = Task { try await text.responseText("GET \(Self.join)/$count") }
        task.cancel()
        let response = try await task.value
        #expect(response.hasPrefix("503"), "\(response)")
        withExtendedLifetime(file) {}
    }

    @Test("short requests pass long ones, however many there are")
    func fairness() async throws {
        let file = try file(.seconds(600))
        let text = file.text
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<24 {
                group.addTask {
                    var text = text
                    text.context.address = "10.0.0.\(client % 3)"
                    _ = try? await text.responseText("GET \(Self.join)/$count")
                }
            }
            for _ in 0..<20 {
                let response = try? await text.responseText("GET Products(1)/Name/$value")
                #expect(response == "200\n\nTea")
            }
            group.cancelAll()
        }
    }

    @Test("users have results of repeatable requests of their own")
    func repetitions() async throws {
        let file = try PublishedFile()
        let request = """
            POST Products
            Content-Type: application/json
            Repeatability-Request-ID: 1
            Repeatability-First-Sent: Thu, 01 Jan 2099 01:20:25 GMT

            {"Name":"Mine"}
            """
        func send(_ user: String?) async throws -> String {
            try await file.responseText(request, showing: ["Location"], user: user).split(separator: "\n").prefix(2)
                .joined()
        }
        let first = try await send("basic ada")
        #expect(first.hasPrefix("201"))
        #expect(try await send("basic ada") == first)
        let others = [try await send("basic bob"), try await send(nil)]
        #expect(Set(others + [first]).count == 3)
        #expect(try await file.responseText("GET Products/$count?$filter=Name eq 'Mine'") == "200\n\n3")
    }
}
