import ODataModel
import ODataQuery

extension TwinChange {
    static let conditions = [
        TwinChange("PATCH, the current ETag", .patch("Products(1)", name).ifMatch(.current)),
        TwinChange("PATCH, another ETag", .patch("Products(1)", name).ifMatch(.old)),
        TwinChange("PATCH, any ETag", .patch("Products(1)", name).ifMatch(.any)),
        TwinChange(
            "PATCH of nothing, any ETag", .patch("Products(77)", name).ifMatch(.any)),
        TwinChange("PATCH, If-None-Match", .patch("Products(1)", name).ifNoneMatch(.any)),
        TwinChange(
            "PATCH, If-None-Match with another ETag", .patch("Products(1)", name).ifNoneMatch(.old)),
        TwinChange(
            "upsert, If-None-Match", .patch("Products(10)", name).ifNoneMatch(.any).upserting, is: .upsert
        ),
        TwinChange("PUT, another ETag", .put("Products(1)", name).ifMatch(.old)),
        TwinChange("DELETE, the current ETag", .delete("Products(3)").ifMatch(.current)),
        TwinChange("DELETE, another ETag", .delete("Products(3)").ifMatch(.old)),
        TwinChange("DELETE of nothing, any ETag", .delete("Products(77)").ifMatch(.any), is: .missingReference),
        TwinChange(
            "PUT of a property, the current ETag", .put("Products(1)/Name", value).ifMatch(.current)),
        TwinChange("PUT of a property, another ETag", .put("Products(1)/Name", value).ifMatch(.old)),
        TwinChange("DELETE of a property, another ETag", .delete("Products(1)/Price").ifMatch(.old)),
        TwinChange(
            "$ref, another ETag", .put("Products(1)/Best/$ref", reference).ifMatch(.old)),
        TwinChange(
            "removed $ref, another ETag", .delete("Products(1)/Best/$ref").ifMatch(.old)),
        TwinChange(
            "a fault and another ETag", .patch("Products(1)", values: ["Nothing": .null]).ifMatch(.old)),
    ]

    static let faults = [
        TwinChange("null for a required value", .patch("Products(1)", values: ["Name": .null])),
        TwinChange("a required value is not given", .post("Products", #"{"ID":10}"#), is: .late),
        TwinChange(
            "too long", .patch("Products(1)", values: ["Name": .string("longer than twenty letters")])),
        TwinChange(
            "too many digits", .patch("Products(1)", values: ["Price": .decimal(EdmDecimal(12345))])),
        TwinChange("too many decimals", .patch("Products(1)", #"{"Price":1.234}"#)),
        TwinChange("out of range", .patch("Products(1)", values: ["Rating": .integer(256)])),
        TwinChange("another type", .patch("Products(1)", values: ["Name": .integer(5)])),
        TwinChange(
            "an unknown member of an enumeration",
            .patch("Products(1)", values: ["Color": .string("Green")])),
        TwinChange("an unknown property", .patch("Products(1)", values: ["Nothing": .integer(5)])),
        TwinChange("an unknown property of a new entity", .post("Parts", values: unknown)),
        TwinChange(
            "a member that is too long",
            .patch("Products(1)", values: ["Origin": .complex(["City": long])])),
        TwinChange(
            "a nested member that is too long", .patch("Products(1)", values: ["Origin": .complex(place)])
        ),
        TwinChange(
            "null for a required member",
            .patch("Products(1)", values: ["Origin": .complex(["City": .null])])),
        TwinChange(
            "an unknown member", .patch("Products(1)", values: ["Origin": .complex(["Nothing": .null])])),
        TwinChange(
            "null in a collection", .patch("Products(1)", values: ["Tags": .collection([.null])])),
        TwinChange(
            "another type in a collection",
            .patch("Products(1)", values: ["Tags": .collection([.integer(1)])])),
        TwinChange(
            "a stream as a value", .patch("Photos(1)", values: ["Thumb": .string("x")])),
        TwinChange(
            "a navigation property as a value", .patch("Products(1)", values: ["Category": .string("x")])),
    ]

    private static let name = #"{"Name":"Sencha"}"#
    private static let value = #"{"value":"Sencha"}"#
    private static let reference = #"{"@odata.id":"Products(3)"}"#
    private static let long = EdmValue.string("eleven chars")
    private static let place: EdmComplexValue = [
        "City": .string("Uji"), "Place": .complex(["Door": .string("five!")]),
    ]
    private static let unknown: EdmComplexValue = [
        "ProductID": .integer(2), "Number": .integer(1), "Nothing": .integer(5),
    ]
}
