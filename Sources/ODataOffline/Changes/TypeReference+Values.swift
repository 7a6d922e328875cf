import ODataModel

extension TypeReference {
    /// Whether a property of the type can have the value, apart from facets and ranges. A number may come in another
    /// form if the column keeps it as it is.
    func takes(_ value: Value) -> Bool {
        switch (self, value) {
        case (_, .null): true
        case (.primitive(let type), _): type.takes(value)
        case (.enumeration, .enumeration), (.enumeration, .string): true
        case (.complex, .complex), (.entity, .complex): true
        case (.collection(let element), .collection(let values)): values.allSatisfy(element.takes)
        default: false
        }
    }
}

extension PrimitiveType {
    fileprivate func takes(_ value: Value) -> Bool {
        switch (self, value) {
        case (.string, .string), (.boolean, .boolean), (.binary, .binary), (.guid, .guid), (.date, .date),
            (.dateTimeOffset, .dateTimeOffset), (.timeOfDay, .timeOfDay), (.duration, .duration):
            true
        case (.string, _), (.boolean, _), (.binary, _), (.guid, _), (.date, _), (.dateTimeOffset, _),
            (.timeOfDay, _), (.duration, _):
            false
        case (.decimal, .decimal), (.decimal, .integer), (.decimal, .double): true
        case (.double, .double), (.double, .integer), (.double, .decimal): true
        case (.single, .double), (.single, .integer), (.single, .decimal): true
        case (.decimal, _), (.double, _), (.single, _): false
        case (_, .integer), (_, .decimal): integerRange != nil
        default: integerRange == nil
        }
    }
}
