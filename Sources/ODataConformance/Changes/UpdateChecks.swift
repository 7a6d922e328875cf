import ODataModel
import ODataStores

/// Updating entities and values.
enum UpdateChecks {
    private static let section = "OData-Protocol 11.4.3"
    private static let chai = "Products(1)?$select=Name,CategoryID,Price,Stock,Released"

    static let all: [ConformanceCheck] = [
        .change("Update changes only what is given", section: section) { session in
            try await session.update("Products(1)", ["Price": "18.5", "Released": nil])
            try await session.expect(chai, .line("Name='Chai' CategoryID=1 Price=18.5 Stock=39 Released=null"))
            try await session.expect("Products(2)/Price", .line("19"))
        },
        .change("Update through a navigation property", section: section) { session in
            try await session.update("Products(3)/Category", ["Description": "Sweet"])
            try await session.expect("Categories(2)/Description", .line("'Sweet'"))
        },
        .change("Update in a related collection", section: section) { session in
            try await session.update("Categories(2)/Products(3)", ["Stock": 14])
            try await session.expect("Products(3)/Stock", .line("14"))
        },
        .change("Update of an entity with a composite key", section: section) { session in
            try await session.update("Order_Details(OrderID=100,ProductID=2)", ["Quantity": 6])
            try await session.expect(
                "Orders(100)/Order_Details?$select=Quantity&$orderby=ProductID", .lines(["Quantity=10", "Quantity=6"]))
        },
        .change("Update of a foreign key moves the entity", section: section) { session in
            try await session.update("Products(1)", ["CategoryID": 3])
            try await session.expect("Categories(3)/Products", .keys("1 7"))
            try await session.expect("Categories(1)/Products", .keys("2"))
        },
        .change("Update with a binding", section: section) { session in
            let empty: EntityDraft = [:]
            try await session.update("Products(1)", empty.bound("Category", to: "Categories(3)"))
            try await session.expect(chai, .line("Name='Chai' CategoryID=3 Price=18 Stock=39 Released=2020-01-15"))
        },
        .change("Update that removes a reference", section: section) { session in
            let draft: EntityDraft = ["Stock": 1]
            try await session.update("Products(1)", draft.bound("Category"))
            try await session.expect(chai, .line("Name='Chai' CategoryID=null Price=18 Stock=1 Released=2020-01-15"))
        },
        .change("An update is seen by filters at once", section: section) { session in
            try await session.update("Products(9)", ["Price": "999"])
            try await session.expect("Products?$orderby=Price desc&$top=1", .sequence("9"))
            try await session.expect("Products?$filter=Price eq null", .keys(""))
        },
        .change("Replace sets what is not given to its default", section: section) { session in
            let payload = try session.payload(["Name": "Tea", "Stock": 1], at: "Products(1)")
            _ = try await session.change("Products(1)", .replace(payload))
            try await session.expect(
                "Products(1)?$select=Name,CategoryID,Price,Stock,Discontinued",
                .line("Name='Tea' CategoryID=null Price=null Stock=1 Discontinued=false"))
        },
        .change("Set the value of a property", section: "OData-Protocol 11.4.9") { session in
            _ = try await session.change("Products(1)/Price", .setValue(Literal.text("5.5").value(as: .decimal)))
            try await session.expect("Products(1)/Price", .line("5.5"))
        },
        .change("Set a property to null", section: "OData-Protocol 11.4.9.2") { session in
            _ = try await session.change("Products(1)/Price", .setValue(.null))
            try await session.expect("Products(1)/Price", .nothing)
        },
        .change("Set the raw value of a property", section: "OData-Protocol 11.4.9.1") { session in
            _ = try await session.change(
                "Products(1)/Name/$value", .setRawValue(Array("Té".utf8), contentType: "text/plain"))
            try await session.expect("Products(1)/Name", .line("'Té'"))
            _ = try await session.change(
                "Products(1)/Stock/$value", .setRawValue(Array("5".utf8), contentType: "text/plain"))
            try await session.expect("Products(1)/Stock", .line("5"))
        },
        .change("An update gives the entity another ETag", section: "OData-Protocol 11.4.1.1", needs: [.newETags]) {
            session in
            let before = try await session.etag("Products(1)")
            try await session.update("Products(1)", ["Stock": 40])
            let after = try await session.etag("Products(1)")
            try session.expect(before != after, "another ETag than \(before)", found: after)
        },
        .change("Update with the present ETag", section: "OData-Protocol 11.4.1.1", needs: [.etags]) { session in
            try await session.update("Products(1)", ["Stock": 40], ifMatch: try await session.etag("Products(1)"))
            try await session.update("Products(1)", ["Stock": 41], ifMatch: "*")
            try await session.expect("Products(1)/Stock", .line("41"))
        },
        .change("Update with an ETag of the past is refused", section: "OData-Protocol 11.4.1.1", needs: [.newETags]) {
            session in
            let old = try await session.etag("Products(1)")
            try await session.update("Products(1)", ["Stock": 40])
            try await session.expectError(.preconditionFailed) {
                try await session.update("Products(1)", ["Stock": 41], ifMatch: old)
            }
            try await session.expect("Products(1)/Stock", .line("40"))
        },
    ]

    static let refused: [ConformanceCheck] = [
        refused("through a navigation property that is null", "Products(9)/Category", ["Name": "x"], .notFound),
        refused("of an unknown property", "Products(1)", ["Colour": "red"], .badRequest),
        refused("to a value of another type", "Products(1)", ["Stock": "many"], .badRequest),
        refused("to null where a value is needed", "Products(1)", ["Name": nil], .badRequest),
        refused(
            "to a unique value that exists", "Categories(1)", ["Name": "Produce"], .conflict, needs: [.constraints]),
        refused("to a value that a check refuses", "Products(1)", ["Price": "-1"], .badRequest, needs: [.constraints]),
        refused(
            "to a foreign key that leads nowhere", "Products(1)", ["CategoryID": 999], .conflict, needs: [.constraints]),
        // Without the precondition a store may create the entity: OData-Protocol 11.4.4.
        .change("Update of nothing is refused, where there must be something", section: section) { session in
            try await session.expectError(.notFound, .preconditionFailed) {
                try await session.update("Products(999)", ["Name": "x"], ifMatch: "*")
            }
            try await session.expect("Products(999)", .missing)
        },
        .change("Set a property to null where a value is needed: refused", section: section) { session in
            try await session.expectError(.badRequest) {
                _ = try await session.change("Products(1)/Name", .setValue(.null))
            }
        },
        .change("Set a raw value of another type: refused", section: section) { session in
            try await session.expectError(.badRequest) {
                _ = try await session.change(
                    "Products(1)/Stock/$value", .setRawValue(Array("many".utf8), contentType: "text/plain"))
            }
        },
    ]

    private static func refused(
        _ what: String, _ url: String, _ draft: EntityDraft, _ code: ODataError.Code,
        needs: Set<ConformanceCapability> = []
    ) -> ConformanceCheck {
        .change("Update \(what) is refused", section: section, needs: needs) { session in
            try await session.expectError(code) { try await session.update(url, draft) }
            try await session.expect(chai, .line("Name='Chai' CategoryID=1 Price=18 Stock=39 Released=2020-01-15"))
        }
    }
}
