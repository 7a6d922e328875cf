extension TwinChange {
    static let deletions = [
        TwinChange("an entity", .delete("Products(3)")),
        TwinChange("an entity with links", .delete("Products(2)")),
        TwinChange(
            "an entity with dependent ones", .delete("Categories(\(TwinModel.tea))"), is: .dependents),
        TwinChange("an entity with parts", .delete("Products(1)"), is: .dependents),
        TwinChange("an entity with contained ones", .delete("Orders(1)")),
        TwinChange("an entity with two keys", .delete("Parts(ProductID=1,Number=1)")),
        TwinChange("an entity of a derived type", .delete("Products(899)")),
        TwinChange("an entity by a cast", .delete("Products(899)/NS.Special")),
        TwinChange("an entity that a path leads to", .delete("Products(1)/Best")),
        TwinChange("an entity of a related collection", .delete("Products(1)/Parts(2)")),
        TwinChange("a contained entity", .delete("Orders(1)/Items('a')"), is: .contained),
        TwinChange(
            "a contained entity two levels down", .delete("Orders(1)/Items('a')/Notes(1)"), is: .contained
        ),
        TwinChange("a contained single entity", .delete("Products(2)/Profile"), is: .contained),
        TwinChange("an entity that does not exist", .delete("Products(77)"), is: .missingReference),
        TwinChange("a collection", .delete("Products")),
        TwinChange("in a set that takes no deletions", .delete("Rates(1)")),
    ]

    static let singletons = [
        TwinChange("PATCH", .patch("Settings", #"{"Volume":9}"#)),
        TwinChange("PUT", .put("Settings", #"{"Volume":9}"#)),
        TwinChange("DELETE", .delete("Settings"), refused: .methodNotAllowed),
        TwinChange("PUT of a property", .put("Settings/Volume", #"{"value":9}"#)),
        TwinChange("DELETE of a property", .delete("Settings/Volume")),
        TwinChange("a binding", .patch("Settings", #"{"Favourite@odata.bind":"Products(2)"}"#)),
        TwinChange("a link removed", .patch("Settings", #"{"Favourite":null}"#)),
        TwinChange("a deep update", .patch("Settings", #"{"Favourite":{"Name":"Sencha"}}"#)),
        TwinChange(
            "an entity that a singleton leads to", .patch("Settings/Favourite", #"{"Name":"Sencha"}"#)),
        TwinChange("POST", .post("Settings", #"{"Volume":9}"#)),
        TwinChange("a value that is too long", .patch("Settings", #"{"Theme":"eleven chars"}"#)),
        TwinChange("the current ETag", .patch("Settings", #"{"Volume":9}"#).ifMatch(.current)),
        TwinChange("another ETag", .patch("Settings", #"{"Volume":9}"#).ifMatch(.old)),
        TwinChange("PATCH of a media singleton", .patch("Logo", #"{"Title":"new"}"#)),
        TwinChange("PUT of the stream of a media singleton", .put("Logo/$value", stream: "new")),
        TwinChange("DELETE of the stream of a media singleton", .delete("Logo/$value")),
        TwinChange("DELETE of a media singleton", .delete("Logo"), refused: .methodNotAllowed),
    ]
}
