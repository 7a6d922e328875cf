import ODataQuery

extension TwinChange {
    static let updates = plainUpdates + replacements + bindings + derivedUpdates

    private static let plainUpdates = [
        TwinChange(
            "values",
            .patch("Products(1)", #"{"Name":"Sencha","Price":2.75,"Color":"Blue","Tags":["c"]}"#)),
        TwinChange("null", .patch("Products(1)", #"{"Price":null,"Seen":null,"Origin":null}"#)),
        TwinChange("nothing", .patch("Products(1)", "{}")),
        TwinChange("members of a complex value", .patch("Products(1)", #"{"Origin":{"Zip":"612"}}"#)),
        TwinChange("nested members", .patch("Products(1)", #"{"Origin":{"Place":{"Door":"E"}}}"#)),
        TwinChange(
            "a complex value that was null", .patch("Products(2)", #"{"Origin":{"City":"Uji"}}"#),
            is: .members),
        TwinChange(
            "a required member of a value that was null",
            .patch("Products(2)", #"{"Origin":{"Zip":"612"}}"#), is: .late),
        TwinChange("the key in the payload", .patch("Products(1)", #"{"ID":77,"Name":"Sencha"}"#)),
        TwinChange(
            "an immutable property", .patch("Products(1)", #"{"Code":"c2","Name":"Sencha"}"#)),
        TwinChange("a computed property", .patch("Products(1)", #"{"Version":77,"Name":"Sencha"}"#)),
        TwinChange("a foreign key", .patch("Products(1)", #"{"CategoryID":"\#(TwinModel.herbs)"}"#)),
        TwinChange(
            "dynamic properties", .patch("Things('t')", #"{"Size":null,"Note":"new","Flag":true}"#)),
        TwinChange(
            "an entity that does not exist", .patch("Products(77)", #"{"Name":"Sencha"}"#), is: .missingReference),
        TwinChange(
            "an entity that a path leads to", .patch("Products(1)/Category", #"{"Name":"Green tea"}"#)),
        TwinChange(
            "a path that leads to nothing", .patch("Products(3)/Category", #"{"Name":"Green tea"}"#),
            is: .missingReference),
        TwinChange(
            "an entity of a related collection",
            .patch("Categories(\(TwinModel.tea))/Products(2)", #"{"Name":"Sencha"}"#)),
        TwinChange(
            "a contained entity", .patch("Orders(1)/Items('a')", #"{"Quantity":7}"#), is: .contained),
        TwinChange(
            "a contained entity two levels down",
            .patch("Orders(1)/Items('a')/Notes(1)", #"{"Text":"m"}"#), is: .contained),
        TwinChange(
            "a contained single entity", .patch("Products(2)/Profile", #"{"Text":"new"}"#), is: .contained
        ),
        TwinChange("a collection", .patch("Products", values: ["Name": .string("Sencha")])),
        TwinChange(
            "in a set that takes no updates", .patch("Rates(1)", #"{"Value":8}"#)),
        TwinChange("an upsert", .patch("Products(10)", #"{"Name":"Oolong"}"#).upserting, is: .upsert),
        TwinChange(
            "an upsert with two keys",
            .patch("Parts(ProductID=2,Number=5)", #"{"Text":"five"}"#).upserting, is: .upsert),
        TwinChange(
            "an upsert below an entity", .patch("Products(2)/Parts(5)", #"{"Text":"five"}"#).upserting,
            is: .upsert),
        TwinChange(
            "an upsert of a contained entity",
            .patch("Orders(1)/Items('c')", #"{"Quantity":7}"#).upserting, is: .contained),
        TwinChange(
            "an upsert of a media entity", .patch("Photos(10)", #"{"Title":"new"}"#).upserting, is: .upsert),
    ]

    private static let replacements = [
        TwinChange("PUT", .put("Products(1)", #"{"Name":"Sencha"}"#)),
        TwinChange(
            "PUT of a complex value", .put("Products(1)", #"{"Name":"Sencha","Origin":{"City":"Nara"}}"#),
            is: .members),
        TwinChange("PUT without a required value", .put("Products(1)", #"{"Price":1}"#), is: .late),
        TwinChange(
            "PUT keeps links", .put("Products(1)", #"{"Name":"Sencha","Tags":["z"]}"#)),
        TwinChange(
            "PUT of an entity whose key is a reference",
            .put("Parts(ProductID=1,Number=1)", #"{"Text":"new"}"#)),
        TwinChange("PUT of dynamic properties", .put("Things('t')", #"{"Flag":true}"#)),
        TwinChange(
            "PUT that creates", .put("Products(10)", #"{"Name":"Oolong"}"#).upserting, is: .upsert),
        TwinChange(
            "PUT with a binding",
            .put(
                "Products(1)", #"{"Name":"Sencha","Category@odata.bind":"Categories(\#(TwinModel.herbs))"}"#
            )),
    ]

    private static let bindings = [
        TwinChange(
            "a binding by a foreign key",
            .patch("Products(3)", #"{"Category@odata.bind":"Categories(\#(TwinModel.tea))"}"#)),
        TwinChange("a binding by a link", .patch("Products(3)", #"{"Best@odata.bind":"Products(1)"}"#)),
        TwinChange("another link", .patch("Products(1)", #"{"Best@odata.bind":"Products(3)"}"#)),
        TwinChange(
            "bindings of links", .patch("Products(1)", #"{"Related@odata.bind":["Products(3)"]}"#)),
        TwinChange(
            "bindings of dependent entities",
            .patch(
                "Categories(\(TwinModel.herbs))", #"{"Products@odata.bind":["Products(1)","Products(3)"]}"#)),
        TwinChange("a foreign key removed", .patch("Products(1)", #"{"Category@odata.bind":null}"#)),
        TwinChange("a link removed", .patch("Products(1)", #"{"Best":null}"#)),
        TwinChange(
            "a required reference removed", .patch("Parts(ProductID=1,Number=1)", #"{"Product":null}"#)),
        TwinChange(
            "a binding to an entity that does not exist",
            .patch("Products(3)", #"{"Best@odata.bind":"Products(77)"}"#), is: .missingReference),
        TwinChange(
            "a foreign key to an entity that does not exist",
            .patch(
                "Products(3)",
                #"{"Category@odata.bind":"Categories(00000000-0000-0000-0000-000000000077)"}"#), is: .late),
        TwinChange(
            "a binding to another set",
            .patch("Products(3)", #"{"Best@odata.bind":"Categories(\#(TwinModel.tea))"}"#)),
        TwinChange(
            "a binding of an unknown navigation property",
            .patch(
                "Products(3)",
                payload: EntityPayload(
                    [:], bindings: [.init(navigation: "Nothing", references: [.url("Products(1)")])]))),
        TwinChange(
            "a binding and a foreign key that differ",
            .patch(
                "Products(3)",
                #"{"CategoryID":"\#(TwinModel.tea)","Category@odata.bind":"Categories(\#(TwinModel.herbs))"}"#
            )),
    ]

    private static let derivedUpdates = [
        TwinChange(
            "a property of a derived type", .patch("Products(899)/NS.Special", #"{"Extra":"y"}"#)),
        TwinChange(
            "a derived type by its name",
            .patch("Products(899)", ##"{"@odata.type":"#NS.Special","Extra":"y","Name":"Rarer"}"##)),
        TwinChange(
            "a navigation property of a derived type",
            .patch("Products(899)/NS.Special", #"{"Maker@odata.bind":"Categories(\#(TwinModel.tea))"}"#)),
        TwinChange(
            "a cast that does not fit", .patch("Products(1)/NS.Special", #"{"Extra":"y"}"#), is: .missingReference),
        TwinChange(
            "another type", .patch("Products(1)", payload: .typed("Special", ["Extra": .string("y")]))),
        TwinChange(
            "PUT of a derived type", .put("Products(899)/NS.Special", #"{"Name":"Rarer","Extra":"y"}"#)),
        TwinChange(
            "a property of another type", .patch("Products(1)", values: ["Extra": .string("y")])),
    ]
}
