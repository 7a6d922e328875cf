extension TwinChange {
    static let deepUpdates = [
        TwinChange(
            "a single entity is changed", .patch("Products(1)", #"{"Category":{"Name":"Green tea"}}"#)),
        TwinChange(
            "a single entity is created", .patch("Products(3)", #"{"Category":{"Name":"Coffee"}}"#)),
        TwinChange(
            "another single entity by its key",
            .patch("Products(1)", #"{"Category":{"ID":"\#(TwinModel.herbs)","Name":"Roots"}}"#)),
        TwinChange(
            "another single entity by its id",
            .patch(
                "Products(1)", #"{"Category":{"@id":"Categories(\#(TwinModel.herbs))","Name":"Roots"}}"#)),
        TwinChange(
            "a contained single entity is changed", .patch("Products(2)", #"{"Profile":{"Text":"new"}}"#),
            is: .contained),
        TwinChange(
            "a contained single entity is created", .patch("Products(1)", #"{"Profile":{"Text":"new"}}"#),
            is: .contained),
        TwinChange(
            "a contained single entity is removed", .patch("Products(2)", #"{"Profile":null}"#)),
        TwinChange(
            "dependent entities are all that is given",
            .patch(
                "Categories(\(TwinModel.tea))",
                #"{"Products":[{"ID":1,"Name":"Sencha"},{"ID":10,"Name":"Oolong"}]}"#)),
        TwinChange(
            "parts are all that is given",
            .patch("Products(1)", #"{"Parts":[{"Number":2,"Text":"new"}]}"#)),
        TwinChange(
            "links are all that is given", .patch("Products(1)", #"{"Related":[{"@id":"Products(3)"}]}"#)),
        TwinChange(
            "an empty collection", .patch("Products(1)", #"{"Related":[],"Name":"Sencha"}"#)),
        TwinChange(
            "contained entities are all that is given",
            .patch("Orders(1)", #"{"Items":[{"Line":"a","Quantity":9},{"Line":"c","Quantity":1}]}"#),
            is: .contained),
        TwinChange(
            "contained entities two levels down",
            .patch(
                "Orders(1)",
                #"{"Items":[{"Line":"a","Notes":[{"ID":1,"Text":"m"},{"ID":2}]},{"Line":"b"}]}"#),
            is: .contained),
        TwinChange(
            "a delta of dependent entities",
            .patch(
                "Categories(\(TwinModel.tea))",
                """
                {"Products@delta":[{"ID":1,"Name":"Sencha"},{"ID":10,"Name":"Oolong"},
                {"@removed":{"reason":"changed"},"@id":"Products(2)"}]}
                """)),
        TwinChange(
            "a delta that deletes",
            .patch(
                "Products(1)",
                #"{"Parts@delta":[{"@removed":{"reason":"deleted"},"@id":"Parts(ProductID=1,Number=2)"}]}"#)),
        TwinChange(
            "a delta of links",
            .patch(
                "Products(1)",
                #"{"Related@delta":[{"@id":"Products(3)"},{"@removed":{"reason":"changed"},"@id":"Products(2)"}]}"#
            )),
        TwinChange(
            "a delta of contained entities",
            .patch(
                "Orders(1)",
                """
                {"Items@delta":[{"Line":"c","Quantity":1},{"@removed":{"reason":"deleted"},"@id":"Orders(1)/Items('b')"}]}
                """), is: .contained),
        TwinChange(
            "the same key twice with values",
            .patch("Products(1)", #"{"Parts":[{"Number":2,"Text":"x"},{"Number":2,"Text":"y"}]}"#),
            refused: .badRequest),
        TwinChange(
            "the same reference twice",
            .patch("Products(1)", #"{"Related":[{"@id":"Products(3)"},{"@id":"Products(3)"}]}"#)),
        TwinChange(
            "an id that does not exist",
            .patch("Products(1)", #"{"Related":[{"@id":"Products(77)","Name":"x"}]}"#), is: .missingReference),
        TwinChange(
            "an id of another set",
            .patch("Products(1)", #"{"Related":[{"@id":"Categories(\#(TwinModel.tea))"}]}"#)),
        TwinChange(
            "an ETag of a nested entity that is not the current one",
            .patch("Products(1)", #"{"Category":{"@etag":"W/\"old\"","Name":"Green tea"}}"#)),
        TwinChange(
            "a fault in a nested entity",
            .patch(
                "Products(1)", #"{"Name":"Sencha","Category":{"Name":"longer than twenty characters"}}"#)),
        TwinChange(
            "PUT of nested entities", .put("Products(1)", #"{"Name":"Sencha","Parts":[{"Number":2}]}"#)),
        TwinChange(
            "PUT of a nested single entity",
            .put(
                "Products(1)",
                #"{"Name":"Sencha","Category":{"@id":"Categories(\#(TwinModel.tea))","Name":"Leaf"}}"#)),
    ]
}
