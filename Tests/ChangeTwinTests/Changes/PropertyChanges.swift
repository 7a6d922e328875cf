import ODataModel
import ODataQuery

extension TwinChange {
    static let propertyChanges = singleProperties + collections

    private static let singleProperties = [
        TwinChange("PUT of a property", .put("Products(1)/Name", #"{"value":"Sencha"}"#)),
        TwinChange("PUT of a raw value", .put("Products(1)/Name/$value", raw: "Sencha")),
        TwinChange("PUT of a raw number", .put("Products(1)/Price/$value", raw: "2.75")),
        TwinChange("PUT of a raw value of another type", .put("Products(1)/Price/$value", raw: "many")),
        TwinChange("DELETE of a property", .delete("Products(1)/Price")),
        TwinChange("DELETE of a property that must have a value", .delete("Products(1)/Name")),
        TwinChange("DELETE of a property with a default value", .delete("Products(1)/Rating")),
        TwinChange(
            "PUT of a key property", .put("Products(1)/ID", #"{"value":77}"#)),
        TwinChange(
            "PUT of an immutable property", .put("Products(1)/Code", #"{"value":"c2"}"#)),
        TwinChange(
            "PUT of a computed property", .put("Products(1)/Version", #"{"value":77}"#)),
        TwinChange(
            "PUT of a value that is too long",
            .put("Products(1)/Name", #"{"value":"longer than twenty letters"}"#)),
        TwinChange("PUT of a complex property", .put("Products(1)/Origin", #"{"City":"Nara"}"#)),
        TwinChange("PATCH of a complex property", .patch("Products(1)/Origin", #"{"Zip":"612"}"#)),
        TwinChange("DELETE of a complex property", .delete("Products(1)/Origin")),
        TwinChange("PUT of a member", .put("Products(1)/Origin/Zip", #"{"value":"612"}"#)),
        TwinChange("PUT of a nested member", .put("Products(1)/Origin/Place/Door", #"{"value":"E"}"#)),
        TwinChange(
            "PATCH of a nested complex property", .patch("Products(1)/Origin/Place", #"{"Floor":9}"#)),
        TwinChange("DELETE of a member", .delete("Products(1)/Origin/Zip")),
        TwinChange("DELETE of a member that must have a value", .delete("Products(1)/Origin/City")),
        TwinChange(
            "PUT of a member of null", .put("Products(2)/Origin/Zip", #"{"value":"612"}"#), is: .late),
        TwinChange(
            "PUT of a member that is too long",
            .put("Products(1)/Origin/City", #"{"value":"eleven chars"}"#)),
        TwinChange(
            "PUT of a property of a derived type",
            .put("Products(899)/NS.Special/Extra", #"{"value":"y"}"#)),
        TwinChange(
            "PUT of a property of nothing", .put("Products(77)/Name", #"{"value":"Sencha"}"#), is: .missingReference),
        TwinChange(
            "PUT of a property of a related entity",
            .put("Products(1)/Category/Name", #"{"value":"Leaf"}"#)),
        TwinChange(
            "PUT of a property of a contained entity",
            .put("Orders(1)/Items('a')/Quantity", #"{"value":7}"#), is: .contained),
    ]

    private static let collections = [
        TwinChange("PUT of a collection", .put("Products(1)/Tags", #"{"value":["x","y","z"]}"#)),
        TwinChange("DELETE of a collection", .delete("Products(1)/Tags")),
        TwinChange(
            "POST to a collection", .post("Products(1)/Tags", #"{"value":"c"}"#), is: .insertion),
        TwinChange(
            "POST to the start of a collection", .post("Products(1)/Tags?$index=0", #"{"value":"c"}"#),
            is: .insertion),
        TwinChange(
            "POST beyond a collection", .post("Products(1)/Tags?$index=9", #"{"value":"c"}"#),
            is: .insertion),
        TwinChange("null for a collection", .patch("Products(1)", values: ["Tags": .null])),
    ]
}
