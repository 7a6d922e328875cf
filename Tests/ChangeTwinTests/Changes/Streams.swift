extension TwinChange {
    static let streams = [
        TwinChange("a media entity", .post("Photos", stream: "new")),
        TwinChange(
            "a media entity with properties",
            .post("Photos", stream: "new", properties: #"{"Title":"new"}"#)),
        TwinChange(
            "a media entity with an immutable property",
            .post("Photos", stream: "new", properties: #"{"Title":"new","Code":"p2"}"#),
            is: .mediaProperties),
        TwinChange(
            "a media entity with a binding",
            .post("Photos", stream: "new", properties: #"{"Product@odata.bind":"Products(2)"}"#)),
        TwinChange(
            "a media entity with a fault in its properties",
            .post("Photos", stream: "new", properties: #"{"Title":"longer than twenty letters"}"#),
            is: .mediaProperties),
        TwinChange("a media entity below another", .post("Products(2)/Photos", stream: "new")),
        TwinChange(
            "a media entity without a stream", .post("Photos", #"{"ID":10,"Title":"new"}"#),
            is: .mediaEntity),
        TwinChange(
            "a stream for a set without streams", .post("Products", stream: "new")),
        TwinChange("the stream of a media entity", .put("Photos(1)/$value", stream: "new")),
        TwinChange("the current ETag", .put("Photos(1)/$value", stream: "new").ifMatch(.currentStream)),
        TwinChange(
            "the current ETag of the entity", .put("Photos(1)/$value", stream: "new").ifMatch(.current)),
        TwinChange("another ETag", .put("Photos(1)/$value", stream: "new").ifMatch(.old)),
        TwinChange("any ETag", .put("Photos(1)/$value", stream: "new").ifMatch(.any)),
        TwinChange(
            "If-None-Match with content", .put("Photos(1)/$value", stream: "new").ifNoneMatch(.any)),
        TwinChange(
            "If-None-Match without content", .put("Photos(1)/Thumb", stream: "new").ifNoneMatch(.any)),
        TwinChange("a media entity is deleted", .delete("Photos(1)")),
        TwinChange("a media entity is deleted with its stream", .delete("Photos(1)/$value")),
        TwinChange(
            "the properties of a media entity", .patch("Photos(1)", #"{"Title":"new","Code":"p9"}"#)),
        TwinChange("a stream property", .put("Photos(1)/Thumb", stream: "new")),
        TwinChange(
            "a stream property is removed", .delete("Products(899)/NS.Special/Plan")),
        TwinChange(
            "a stream property without content is removed", .delete("Photos(1)/Thumb")
        ),
        TwinChange(
            "a stream property of a derived type", .put("Products(899)/NS.Special/Plan", stream: "new")),
        TwinChange(
            "a stream property of another type", .put("Products(1)/NS.Special/Plan", stream: "new"),
            is: .missingReference),
        TwinChange("the stream of nothing", .put("Photos(77)/$value", stream: "new"), is: .missingReference),
        TwinChange("a stream property of nothing", .put("Photos(77)/Thumb", stream: "new"), is: .missingReference),
    ]
}
