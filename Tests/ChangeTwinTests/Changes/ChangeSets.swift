extension TwinChange {
    static let changeSets = [
        TwinChange(
            "several entities", .post("Products", #"{"ID":10,"Name":"Oolong"}"#),
            .patch("Products(2)", name),
            .delete("Products(3)")),
        TwinChange(
            "a fault in the last request", .patch("Products(1)", name), .patch("Products(2)", name),
            .delete("Products(77)"), is: .missingReference),
        TwinChange(
            "two updates of one entity", .patch("Products(1)", #"{"Price":9}"#),
            .patch("Products(1)", name)),
        TwinChange(
            "an update and a deletion", .patch("Products(3)", name), .delete("Products(3)")),
        TwinChange(
            "a creation below $1", .post("Products", #"{"Name":"Oolong"}"#, id: "1"),
            .post("$1/Parts", #"{"Number":1,"Text":"one"}"#)),
        TwinChange(
            "a binding to $1", .post("Categories", #"{"Name":"Coffee"}"#, id: "1"),
            .post("Products", #"{"Name":"Mocha","Category@odata.bind":"$1"}"#)),
        TwinChange(
            "a binding of links to $1", .post("Products", #"{"Name":"Oolong"}"#, id: "1"),
            .patch("Products(1)", #"{"Related@odata.bind":["$1"]}"#)),
        TwinChange(
            "an update of $1", .post("Products", #"{"Name":"Oolong"}"#, id: "1"),
            .patch("$1", #"{"Price":4}"#)),
        TwinChange(
            "a deletion of $1", .post("Products", #"{"Name":"Oolong"}"#, id: "1"), .delete("$1")),
        TwinChange(
            "a reference to $1", .post("Products", #"{"Name":"Oolong"}"#, id: "1"),
            .put("Products(3)/Best/$ref", #"{"@odata.id":"$1"}"#)),
        TwinChange(
            "a reference of $1", .post("Products", #"{"Name":"Oolong"}"#, id: "1"),
            .put("$1/Best/$ref", #"{"@odata.id":"Products(3)"}"#)),
        TwinChange(
            "$1 is updated twice", .patch("Products(1)", name, id: "1"), .patch("$1", #"{"Price":4}"#),
            .patch("$1", #"{"Price":5}"#)),
        TwinChange(
            "a media entity and its properties", .post("Photos", stream: "new", id: "1"),
            .patch("$1", #"{"Title":"new"}"#)),
        TwinChange(
            "a stream property of $1", .post("Photos", stream: "new", id: "1"),
            .put("$1/Thumb", stream: "thumb")),
        TwinChange(
            "an id that no request has", .patch("Products(1)", name, id: "1"), .post("Products", unknown)),
        TwinChange(
            "contained entities of $1", .post("Orders", #"{"Customer":"Eve"}"#, id: "1"),
            .post("$1/Items", #"{"Line":"a","Quantity":1}"#), is: .contained),
    ]

    private static let name = #"{"Name":"Sencha"}"#
    private static let unknown = #"{"Name":"Oolong","Best@odata.bind":"$7"}"#
}
