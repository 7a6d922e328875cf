// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.EventLocation`
struct EventLocation: ComplexPropertyValue, QueryElement {
    static let typeName = EdmQualifiedName("Travel.EventLocation")
    static let propertyNames = ["Address", "City", "BuildingInfo"]

    var address: String?
    var city: String
    var buildingInfo: String?
    /// Dynamic members, and others that this structure does not know, with the name of a derived type: written back as
    /// read.
    var additional = EdmComplexValue()

    init(address: String? = nil, city: String, buildingInfo: String? = nil) {
        self.address = address
        self.city = city
        self.buildingInfo = buildingInfo
    }

    init?(complex: EdmComplexValue) {
        guard let address: String? = complex.optional("Address") else { return nil }
        self.address = address
        guard let city: String = complex.value("City") else { return nil }
        self.city = city
        guard let buildingInfo: String? = complex.optional("BuildingInfo") else { return nil }
        self.buildingInfo = buildingInfo
        self.additional = complex.additional(to: Self.propertyNames)
    }

    var complex: EdmComplexValue {
        EdmComplexValue(
            [
                .init(name: "Address", value: address?.edm ?? .null),
                .init(name: "City", value: city.edm),
                .init(name: "BuildingInfo", value: buildingInfo?.edm ?? .null),
            ], and: additional)
    }

    struct Fields: QueryFields {
        let path: FieldPath
        var address: QueryOperand<String> { path.property("Address") }
        var city: QueryOperand<String> { path.property("City") }
        var buildingInfo: QueryOperand<String> { path.property("BuildingInfo") }
        var country: ToOne<Country> { path.toOne("Country") }
    }
}
