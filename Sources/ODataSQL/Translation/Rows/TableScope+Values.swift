import ODataModel
import ODataQuery

extension TableScope {
    /// All dynamic properties of an open type, as a JSON object.
    var dynamicObject: Term? {
        source.dynamicColumn.map { Term(column($0), .json, isColumn: true) }
    }

    /// The JSON of an undeclared property.
    func dynamicValue(of property: EdmProperty) -> Term? {
        guard let object = source.dynamicColumn, !isDeclared(property) else { return nil }
        let path = SQLFragment.bound(.text("$")).appending(member: property.name)
        return Term(column(object).member(at: path), .json)
    }

    /// Whether entities of the set may have a property or navigation property of the name.
    func declares(_ name: String) -> Bool {
        ([set.type] + context.model.derivedTypes(of: set.type)).contains {
            $0.property(named: name) != nil || $0.navigationProperty(named: name) != nil
        }
    }

    private func isDeclared(_ property: EdmProperty) -> Bool {
        ([set.type] + context.model.derivedTypes(of: set.type)).contains { $0.property(named: property.name) != nil }
    }
}
