import ODataStores

/// Deleting entities.
enum DeleteChecks {
    private static let section = "OData-Protocol 11.4.5"

    static let all: [ConformanceCheck] = [
        .change("Delete", section: section) { session in
            let result = try await session.change("Products(9)", .delete)
            try session.expect(result.outcome == .deleted, "deleted", found: "\(result.outcome)")
            try await session.expect("Products(9)", .missing)
            try await session.expect("Products/$count", .line("9"))
        },
        .change("Delete in a related collection", section: section) { session in
            _ = try await session.change("Categories(2)/Products(8)", .delete)
            try await session.expect("Categories(2)/Products", .keys("3 4 5 6"))
        },
        .change("Delete through a navigation property", section: section) { session in
            _ = try await session.change("Photos(3)/Product/Photos(3)", .delete)
            try await session.expect("Products(7)/Photos", .keys(""))
        },
        .change("Delete of an entity with a composite key", section: section) { session in
            _ = try await session.change("Order_Details(OrderID=100,ProductID=2)", .delete)
            try await session.expect("Orders(100)/Order_Details", .keys("100,1"))
        },
        .change("Delete of nothing is refused", section: section) { session in
            try await session.expectError(.notFound) { _ = try await session.change("Products(999)", .delete) }
        },
        .change("Delete twice: the second is refused", section: section) { session in
            _ = try await session.change("Products(9)", .delete)
            try await session.expectError(.notFound) { _ = try await session.change("Products(9)", .delete) }
        },
        .change("Delete of what others refer to is refused", section: section, needs: [.constraints]) { session in
            try await session.expectError(.conflict) { _ = try await session.change("Categories(2)", .delete) }
            try await session.expect("Categories(2)/Products", .keys("3 4 5 6 8"))
        },
        .change("Delete with the present ETag", section: "OData-Protocol 11.4.1.1", needs: [.etags]) { session in
            let etag = try await session.etag("Products(9)")
            _ = try await session.change("Products(9)", .delete, ifMatch: etag)
            try await session.expect("Products(9)", .missing)
        },
        .change("Delete with an ETag of the past is refused", section: "OData-Protocol 11.4.1.1", needs: [.newETags]) {
            session in
            let etag = try await session.etag("Products(9)")
            try await session.update("Products(9)", ["Stock": 30])
            try await session.expectError(.preconditionFailed) {
                _ = try await session.change("Products(9)", .delete, ifMatch: etag)
            }
            try await session.expect("Products(9)/Stock", .line("30"))
        },
        .change("Delete of what was just created", section: section) { session in
            let url = try await session.create("Products", ["Name": "New"])
            _ = try await session.change(url, .delete)
            try await session.expect(url, .missing)
            try await session.expect("Products/$count", .line("10"))
        },
    ]
}
