import ODataStores

/// `$ref`: relationships alone.
enum ReferenceChecks {
    private static let section = "OData-Protocol 11.4.6"

    static let all: [ConformanceCheck] = [
        .change("Set an entity reference", section: section) { session in
            _ = try await session.change("Products(1)/Category/$ref", .addReference(session.reference("Categories(3)")))
            try await session.expect("Products(1)/CategoryID", .line("3"))
            try await session.expect("Products(1)/Category/$ref", .line("@Categories(3)"))
        },
        .change("Add to a related collection", section: section) { session in
            _ = try await session.change("Categories(4)/Products/$ref", .addReference(session.reference("Products(9)")))
            try await session.expect("Categories(4)/Products", .keys("9"))
            try await session.expect("Products(9)/Category/Name", .line("'Empty'"))
        },
        .change("Remove an entity reference", section: section) { session in
            _ = try await session.change("Products(1)/Category/$ref", .removeReference(nil))
            try await session.expect("Products(1)/Category", .nothing)
            try await session.expect("Categories(1)/Products", .keys("2"))
        },
        .change("Take out of a related collection", section: section) { session in
            _ = try await session.change(
                "Categories(2)/Products/$ref", .removeReference(session.reference("Products(8)")))
            try await session.expect("Categories(2)/Products", .keys("3 4 5 6"))
            try await session.expect("Products(8)/CategoryID", .nothing)
        },
        .change("A reference to a missing entity is refused", section: section, needs: [.references]) { session in
            try await session.expectError(.notFound, .badRequest, .conflict) {
                _ = try await session.change(
                    "Products(1)/Category/$ref", .addReference(session.reference("Categories(99)")))
            }
            try await session.expect("Products(1)/CategoryID", .line("1"))
        },
        .change("A reference to an entity of another set is refused", section: section) { session in
            try await session.expectError(.badRequest, .notFound, .conflict) {
                _ = try await session.change(
                    "Products(1)/Category/$ref", .addReference(session.reference("Suppliers(2)")))
            }
            try await session.expect("Products(1)/CategoryID", .line("1"))
        },
        .change("A required reference is not removed", section: section) { session in
            try await session.expectError(.badRequest, .conflict) {
                _ = try await session.change(
                    "Order_Details(OrderID=100,ProductID=2)/Order/$ref", .removeReference(nil))
            }
            try await session.expect("Orders(100)/Order_Details", .keys("100,1 100,2"))
        },
    ]
}
