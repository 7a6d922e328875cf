import ODataQuery

extension TwinChange {
    static let creations = plainCreations + deepCreations + derivedCreations

    private static let plainCreations = [
        TwinChange(
            "a key of the app", .post("Products", #"{"ID":10,"Name":"Oolong","Price":2.25,"Tags":["x"]}"#)
        ),
        TwinChange("a key that the service makes", .post("Products", #"{"Name":"Oolong","Tags":[]}"#)),
        TwinChange("a GUID that the service makes", .post("Categories", #"{"Name":"Coffee"}"#)),
        TwinChange("a collection that is not given", .post("Products", #"{"ID":10,"Name":"Oolong"}"#)),
        TwinChange("a text key", .post("Things", #"{"ID":"ä/b'c d","Note":"text","Size":5}"#)),
        TwinChange("a text key that is not given", .post("Things", #"{"Note":"text"}"#), is: .late),
        TwinChange("two keys", .post("Parts", #"{"ProductID":2,"Number":1,"Text":"one"}"#)),
        TwinChange(
            "a part of the key is not given", .post("Parts", #"{"ProductID":2,"Text":"one"}"#), is: .late),
        TwinChange(
            "null as a key", .post("Parts", values: ["ProductID": .integer(2), "Number": .null])),
        TwinChange("a key that exists", .post("Products", #"{"ID":1,"Name":"Oolong"}"#)),
        TwinChange("a key with U+0000", .post("Things", #"{"ID":"a\u0000b"}"#)),
        TwinChange("default values", .post("Products", #"{"ID":10,"Name":"Oolong"}"#)),
        TwinChange(
            "complex values",
            .post("Products", #"{"ID":10,"Name":"Oolong","Origin":{"City":"Uji","Place":{"Floor":1}}}"#),
            is: .members),
        TwinChange(
            "a foreign key",
            .post("Products", #"{"ID":10,"Name":"Oolong","CategoryID":"\#(TwinModel.tea)"}"#)),
        TwinChange(
            "a binding of a single entity",
            .post(
                "Products",
                #"{"ID":10,"Name":"Oolong","Category@odata.bind":"Categories(\#(TwinModel.tea))"}"#)),
        TwinChange(
            "a reference in the style of 4.01",
            .post(
                "Products", #"{"ID":10,"Name":"Oolong","Category":{"@id":"Categories(\#(TwinModel.tea))"}}"#
            )),
        TwinChange(
            "a binding of links",
            .post(
                "Products", #"{"ID":10,"Name":"Oolong","Related@odata.bind":["Products(1)","Products(2)"]}"#
            )),
        TwinChange(
            "the same reference twice",
            .post(
                "Products", #"{"ID":10,"Name":"Oolong","Related@odata.bind":["Products(1)","Products(1)"]}"#
            )),
        TwinChange(
            "a binding of dependent entities",
            .post(
                "Categories", #"{"Name":"Coffee","Products@odata.bind":["Products(1)","Products(3)"]}"#)),
        TwinChange(
            "a binding to an entity that does not exist",
            .post("Products", #"{"ID":10,"Name":"Oolong","Related@odata.bind":["Products(77)"]}"#),
            is: .missingReference),
        TwinChange(
            "a binding to another set",
            .post(
                "Products", #"{"ID":10,"Name":"Oolong","Best@odata.bind":"Categories(\#(TwinModel.tea))"}"#)
        ),
        TwinChange(
            "an empty binding", .post("Products", #"{"ID":10,"Name":"Oolong","Category":null}"#)),
        TwinChange(
            "below an entity, by a key", .post("Products(3)/Parts", #"{"Number":1,"Text":"one"}"#)),
        TwinChange(
            "below an entity, by a foreign key",
            .post("Categories(\(TwinModel.tea))/Products", #"{"ID":10,"Name":"Oolong"}"#)),
        TwinChange(
            "below an entity, by a link", .post("Products(3)/Related", #"{"ID":10,"Name":"Oolong"}"#)),
        TwinChange(
            "below an entity that does not exist", .post("Products(77)/Parts", #"{"Number":1}"#),
            is: .missingReference),
        TwinChange("below a single entity", .post("Products(1)", #"{"Name":"Oolong"}"#)),
        TwinChange(
            "a contained entity", .post("Orders(899)/Items", #"{"Line":"c","Quantity":4,"ProductID":2}"#),
            is: .contained),
        TwinChange(
            "a contained entity two levels down",
            .post("Orders(1)/Items('a')/Notes", #"{"ID":2,"Text":"m"}"#), is: .contained),
        TwinChange(
            "dynamic properties", .post("Things", #"{"ID":"u","Size":4.5,"Flag":true,"Note":"text"}"#)),
        TwinChange(
            "in a set that takes no inserts", .post("Rates", #"{"ID":2,"Value":8}"#)),
    ]

    private static let deepCreations = [
        TwinChange(
            "a principal entity",
            .post("Products", #"{"ID":10,"Name":"Oolong","Category":{"Name":"Coffee"}}"#)),
        TwinChange(
            "dependent entities",
            .post(
                "Categories",
                #"{"Name":"Coffee","Products":[{"ID":10,"Name":"Oolong"},{"ID":11,"Name":"Mate"}]}"#)),
        TwinChange(
            "entities whose key has that of the outer one",
            .post("Products", #"{"Name":"Oolong","Parts":[{"Number":1},{"Number":2,"Text":"two"}]}"#)),
        TwinChange(
            "linked entities",
            .post(
                "Products",
                #"{"ID":10,"Name":"Oolong","Related":[{"ID":11,"Name":"Mate"}],"Best":{"Name":"Pu"}}"#)),
        TwinChange(
            "three levels",
            .post(
                "Categories",
                #"{"Name":"Coffee","Products":[{"ID":10,"Name":"Oolong","Parts":[{"Number":1,"Text":"one"}]}]}"#
            )),
        TwinChange(
            "contained entities",
            .post(
                "Orders",
                """
                {"ID":10,"Customer":"Eve","Items":[{"Line":"a","Quantity":1,"Notes":[{"ID":1,"Text":"x"},{"ID":2}]},
                {"Line":"b","Quantity":2,"ProductID":3}]}
                """), is: .contained),
        TwinChange(
            "a contained single entity",
            .post("Products", #"{"ID":10,"Name":"Oolong","Profile":{"Text":"new"}}"#), is: .contained),
        TwinChange(
            "new entities and references together",
            .post(
                "Products",
                #"{"ID":10,"Name":"Oolong","Related":[{"@id":"Products(1)"},{"ID":11,"Name":"Mate"}]}"#)),
        TwinChange(
            "a nested key that exists",
            .post("Products", #"{"ID":10,"Name":"Oolong","Related":[{"ID":1,"Name":"Mate"}]}"#)
        ),
        TwinChange(
            "the same nested key twice",
            .post("Products", #"{"ID":10,"Name":"Oolong","Parts":[{"Number":1},{"Number":1}]}"#), refused: .badRequest),
        TwinChange(
            "a fault in a nested entity",
            .post(
                "Categories",
                #"{"Name":"Coffee","Products":[{"ID":10,"Name":"longer than twenty characters"}]}"#)),
        TwinChange(
            "two entities in a single-valued navigation property",
            .post(
                "Products",
                payload: EntityPayload(
                    ["ID": .integer(10), "Name": .string("Oolong")],
                    nested: [
                        .init(
                            navigation: "Category",
                            entities: [
                                EntityPayload(["Name": .string("a")]), EntityPayload(["Name": .string("b")]),
                            ])
                    ]))),
        TwinChange(
            "an unknown navigation property",
            .post(
                "Products",
                payload: EntityPayload(
                    ["ID": .integer(10), "Name": .string("Oolong")],
                    nested: [.init(navigation: "Nothing", entities: [EntityPayload()])]))),
    ]

    private static let derivedCreations = [
        TwinChange(
            "a derived type by its name",
            .post("Products", ##"{"@odata.type":"#NS.Special","ID":10,"Name":"Oolong","Extra":"e"}"##)),
        TwinChange(
            "a derived type by the path",
            .post("Products/NS.Special", #"{"ID":10,"Name":"Oolong","Extra":"e"}"#)),
        TwinChange(
            "a navigation property of a derived type",
            .post(
                "Products/NS.Special",
                #"{"ID":10,"Name":"Oolong","Extra":"e","Maker@odata.bind":"Categories(\#(TwinModel.tea))"}"#
            )),
        TwinChange(
            "another type than the path has",
            .post(
                "Products/NS.Special",
                payload: .typed("Product", ["ID": .integer(10), "Name": .string("Oolong")]))),
        TwinChange(
            "a type of another set", .post("Products", payload: .typed("Category", ["ID": .integer(10)]))),
        TwinChange(
            "a property of a derived type that the entity does not have",
            .post(
                "Products", values: ["ID": .integer(10), "Name": .string("Oolong"), "Extra": .string("e")])),
        TwinChange(
            "a required property of a derived type",
            .post("Products/NS.Special", #"{"ID":10,"Name":"Oolong"}"#), is: .late),
    ]
}
