import ODataModel
import ODataQuery
import ODataStores

/// Change sets.
enum ChangeSetChecks {
    private static let section = "OData-Protocol 11.7.4"

    static let all: [ConformanceCheck] = [
        .change("A change set is applied in its order", section: section) { session in
            let results = try await session.store.changeSet([
                session.request(
                    "Categories", .create(session.payload(["CategoryID": 5, "Name": "New"], at: "Categories"))),
                session.request("Products(1)", .update(session.payload(["CategoryID": 5], at: "Products(1)"))),
                session.request("Products(9)", .delete),
            ])
            try session.expect(
                results.map(\.outcome) == [.created, .updated, .deleted], "created, updated, deleted",
                found: "\(results.map(\.outcome))")
            try await session.expect("Categories(5)/Products", .keys("1"))
            try await session.expect("Products/$count", .line("9"))
        },
        .change("All of a change set is applied, or nothing", section: section) { session in
            let error = try await session.expectError(.notFound) {
                _ = try await session.store.changeSet([
                    session.request(
                        "Categories", .create(session.payload(["CategoryID": 5, "Name": "New"], at: "Categories"))),
                    session.request("Products(1)", .update(session.payload(["Stock": 0], at: "Products(1)"))),
                    session.request("Products(999)", .delete),
                ])
            }
            try session.expect(
                error.requestIndex == 2, "the request 2 is named",
                found: "\(error.requestIndex.map(String.init) ?? "none")")
            try await session.expect("Categories(5)", .missing)
            try await session.expect("Products(1)/Stock", .line("39"))
        },
        .change("A precondition that fails undoes a change set", section: section) { session in
            var last = try session.request("Products(1)", .update(session.payload(["Stock": 1], at: "Products(1)")))
            last.ifMatch = "W/\"other\""
            let requests = [
                try session.request("Products(2)", .update(session.payload(["Stock": 1], at: "Products(2)"))), last,
            ]
            try await session.expectError(.preconditionFailed) { _ = try await session.store.changeSet(requests) }
            try await session.expect("Products(2)/Stock", .line("17"))
        },
        .change("A later request refers to an earlier one by its content id", section: "OData-Protocol 11.7.3.1") {
            session in
            guard let orders = try session.parser.path("Orders").rootSet else {
                throw ConformanceFailure(expected: "a set", found: "none")
            }
            let draft: EntityDraft = ["OrderedAt": "2024-05-01T10:00:00Z"]
            var first = try session.request("Orders", .create(session.payload(draft, at: "Orders")))
            first.contentID = "1"
            guard case .query(let query) = try session.parser.resource("$1/Order_Details", contentIDs: ["1": orders]),
                let draftItem = Optional(["ProductID": 9, "Quantity": 4, "UnitPrice": "2"] as EntityDraft)
            else { throw ConformanceFailure(expected: "a path", found: "none") }
            let item = ChangeRequest(
                query.path, .create(try session.payload(draftItem, at: "Order_Details")))
            let results = try await session.store.changeSet([first, item])
            let url = try session.url(of: results[0])
            try await session.expect("\(url)/Order_Details?$select=Quantity", .line("Quantity=4"))
        },
        .change("A binding leads to an earlier request by its content id", section: "OData-Protocol 11.7.3.1") {
            session in
            var first = try session.request(
                "Categories", .create(session.payload(["CategoryID": 5, "Name": "New"], at: "Categories")))
            first.contentID = "c"
            let draft: EntityDraft = ["Name": "New"]
            let second = try session.request(
                "Products", .create(session.payload(draft.bound("Category", to: "$c"), at: "Products")))
            _ = try await session.store.changeSet([first, second])
            try await session.expect("Categories(5)/Products?$select=Name", .line("Name='New'"))
        },
        .change("A change set of one request", section: section) { session in
            let results = try await session.store.changeSet([try session.request("Products(9)", .delete)])
            try session.expect(results.count == 1, "one result", found: "\(results.count)")
            try await session.expect("Products(9)", .missing)
        },
    ]
}

extension ConformanceSession {
    func request(_ url: String, _ operation: ChangeRequest.Operation) throws -> ChangeRequest {
        ChangeRequest(try parser.path(url), operation)
    }
}
