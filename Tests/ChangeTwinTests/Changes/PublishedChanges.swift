extension TwinChange {
    static let published =
        publishedCreations + publishedUpdates + publishedReferences + publishedDeletions

    private static let publishedCreations = [
        TwinChange(
            "create", .post("Orders", #"{"OrderID":10,"CustomerID":"B","Amount":3.5,"Rank":2}"#)),
        TwinChange(
            "create with a key that the service makes", .post("Orders", #"{"CustomerID":"B","Rank":2}"#)),
        TwinChange("create with defaults", .post("Customers", #"{"CustomerID":"D","Name":"Delta"}"#)),
        TwinChange("create without a required value", .post("Customers", #"{"CustomerID":"D"}"#), is: .late),
        TwinChange(
            "create with a key that exists", .post("Customers", #"{"CustomerID":"A","Name":"Delta"}"#)),
        TwinChange(
            "create with a unique value that exists",
            .post("Customers", #"{"CustomerID":"D","Name":"Beta"}"#), is: .late),
        TwinChange(
            "create with a value that a check refuses",
            .post("Orders", #"{"OrderID":10,"Note":"refused"}"#), is: .late),
        TwinChange(
            "create with a foreign key to nothing", .post("Orders", #"{"OrderID":10,"CustomerID":"Z"}"#), is: .late),
        TwinChange(
            "create with a text that is too long",
            .post("Orders", values: ["Rank": .integer(1), "Note": .string("longer than twenty letters")])),
        TwinChange("create below an entity", .post("Orders(899)/Items", #"{"LineNo":1,"Quantity":5}"#)),
        TwinChange(
            "create with a binding",
            .post("Orders", #"{"OrderID":10,"Rank":2,"Customer@odata.bind":"Customers('B')"}"#)),
        TwinChange(
            "create with a principal",
            .post("Orders", #"{"Rank":2,"Customer":{"CustomerID":"D","Name":"Delta"}}"#)),
        TwinChange(
            "create with dependents",
            .post("Orders", #"{"Rank":2,"Items":[{"LineNo":1,"Quantity":2},{"LineNo":2,"Quantity":3}]}"#)),
        TwinChange("create a media entity", .post("Photos", stream: "new")),
        TwinChange(
            "create a media entity with properties",
            .post("Photos", stream: "new", properties: #"{"Title":"new","OrderID":2}"#)),
        TwinChange(
            "create in a change set", .post("Orders", #"{"Rank":2}"#, id: "1"),
            .post("$1/Items", #"{"LineNo":1,"Quantity":5}"#), .patch("$1", #"{"Note":"new"}"#)),
    ]

    private static let publishedUpdates = [
        TwinChange("PATCH", .patch("Orders(1)", #"{"Amount":7,"Note":null}"#)),
        TwinChange("PATCH of the key", .patch("Orders(1)", #"{"OrderID":77,"Amount":7}"#)),
        TwinChange("PATCH of nothing", .patch("Orders(77)", #"{"Amount":7}"#), is: .missingReference),
        TwinChange("PATCH that a check refuses", .patch("Orders(1)", #"{"Note":"refused"}"#), is: .late),
        TwinChange(
            "PATCH of a required value to null", .patch("Customers('A')", values: ["Name": .null])),
        TwinChange(
            "PATCH with a binding", .patch("Orders(1)", #"{"Customer@odata.bind":"Customers('B')"}"#)),
        TwinChange("PATCH that removes a reference", .patch("Orders(1)", #"{"Customer":null}"#)),
        TwinChange(
            "PATCH with nested entities", .patch("Orders(1)", #"{"Items":[{"LineNo":1,"Quantity":9}]}"#)),
        TwinChange("upsert", .patch("Customers('D')", #"{"Name":"Delta"}"#).upserting, is: .upsert),
        TwinChange("PUT", .put("Orders(1)", #"{"Amount":7}"#)),
        TwinChange("PUT with defaults", .put("Customers('A')", #"{"Name":"Omega"}"#)),
        TwinChange("PUT without a required value", .put("Customers('A')", #"{"City":"Oslo"}"#), is: .late),
        TwinChange("PUT of a property", .put("Orders(1)/Note", #"{"value":"new"}"#)),
        TwinChange("PUT of a key property", .put("Orders(1)/OrderID", #"{"value":77}"#)),
        TwinChange("DELETE of a property", .delete("Orders(1)/Note")),
        TwinChange("DELETE of a required property", .delete("Customers('A')/Name")),
        TwinChange("the current ETag", .patch("Orders(1)", #"{"Amount":7}"#).ifMatch(.current)),
        TwinChange("another ETag", .patch("Orders(1)", #"{"Amount":7}"#).ifMatch(.old)),
        TwinChange("PUT of a stream", .put("Photos(1)/$value", stream: "new")),
    ]

    private static let publishedReferences = [
        TwinChange(
            "a reference is set", .put("Orders(899)/Customer/$ref", #"{"@odata.id":"Customers('B')"}"#)),
        TwinChange(
            "a reference is added", .post("Customers('B')/Orders/$ref", #"{"@odata.id":"Orders(1)"}"#)),
        TwinChange("a reference is removed", .delete("Orders(1)/Customer/$ref")),
        TwinChange("a member is removed", .delete("Customers('A')/Orders/$ref?$id=Orders(2)")),
        TwinChange("a required reference is removed", .delete("Items(OrderID=1,LineNo=1)/Order/$ref")),
        TwinChange(
            "a part is removed", .delete("Orders(1)/Items/$ref?$id=Items(OrderID=1,LineNo=1)"),
            refused: .badRequest),
    ]

    private static let publishedDeletions = [
        TwinChange("DELETE", .delete("Customers('C')")),
        TwinChange("DELETE of an entity that others refer to", .delete("Customers('A')"), is: .late),
        TwinChange("DELETE that deletes others", .delete("Orders(1)"), is: .dependents),
        TwinChange("DELETE of a part", .delete("Items(OrderID=1,LineNo=1)")),
        TwinChange("DELETE of nothing", .delete("Orders(77)"), is: .missingReference),
        TwinChange("DELETE of a media entity", .delete("Photos(1)")),
    ]
}
