extension TwinChange {
    static let references = [
        TwinChange("a foreign key is set", .put("Products(3)/Category/$ref", category)),
        TwinChange("a link is set", .put("Products(3)/Best/$ref", product(1))),
        TwinChange("a link takes the place of another", .put("Products(1)/Best/$ref", product(3))),
        TwinChange(
            "a member is added by a foreign key",
            .post("Categories(\(TwinModel.herbs))/Products/$ref", product(1))),
        TwinChange("a member is added by a link", .post("Products(1)/Related/$ref", product(3))),
        TwinChange("a member that is there is added", .post("Products(1)/Related/$ref", product(2))),
        TwinChange("a foreign key is removed", .delete("Products(1)/Category/$ref")),
        TwinChange("a link is removed", .delete("Products(1)/Best/$ref")),
        TwinChange("nothing is removed", .delete("Products(3)/Best/$ref")),
        TwinChange("a member is removed by its key", .delete("Products(1)/Related(2)/$ref")),
        TwinChange(
            "a member is removed by its id", .delete("Products(1)/Related/$ref?$id=Products(2)")),
        TwinChange(
            "a dependent member is removed",
            .delete("Categories(\(TwinModel.tea))/Products/$ref?$id=Products(2)")),
        TwinChange(
            "a member that is not there is removed", .delete("Products(1)/Related/$ref?$id=Products(3)")),
        TwinChange("the member is not named", .delete("Products(1)/Related/$ref")),
        TwinChange(
            "a required reference is removed", .delete("Parts(ProductID=1,Number=1)/Product/$ref")),
        TwinChange(
            "a part is removed whose key holds the reference",
            .delete("Products(1)/Parts/$ref?$id=Parts(ProductID=1,Number=1)"), refused: .badRequest),
        TwinChange(
            "a contained entity is removed", .delete("Orders(1)/Items('a')/$ref"), is: .contained),
        TwinChange(
            "a contained single entity is removed", .delete("Products(2)/Profile/$ref"), is: .contained),
        TwinChange(
            "an entity that does not exist", .post("Products(1)/Related/$ref", product(77)),
            is: .missingReference),
        TwinChange("an entity of another set", .post("Products(1)/Related/$ref", category)),
        TwinChange(
            "of an entity that does not exist", .put("Products(77)/Best/$ref", product(1)), is: .missingReference),
        TwinChange(
            "a text that is not an id", .put("Products(3)/Best/$ref", #"{"@odata.id":"Nothing(1)"}"#)),
        TwinChange("of a derived type", .put("Products(899)/NS.Special/Maker/$ref", category)),
        TwinChange("of a derived type, removed", .delete("Products(899)/NS.Special/Maker/$ref")),
        TwinChange("of a singleton", .put("Settings/Favourite/$ref", product(2))),
        TwinChange("of a singleton, removed", .delete("Settings/Favourite/$ref")),
        TwinChange(
            "of a contained entity", .put("Orders(1)/Items('b')/Product/$ref", product(2)), is: .contained
        ),
    ]

    private static let category = #"{"@odata.id":"Categories(\#(TwinModel.tea))"}"#

    private static func product(_ key: Int) -> String { #"{"@odata.id":"Products(\#(key))"}"# }
}
