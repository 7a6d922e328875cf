// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Location`
struct PartialLocation: ComplexPropertyValue, QueryElement {
    static let typeName = EdmQualifiedName("Travel.Location")
    static let propertyNames = ["Address", "City"]

    var address: String?
    var city: String
    /// Dynamic members, and others that this structure does not know, with the name of a derived type: written back as
    /// read.
    var additional = EdmComplexValue()

    init(address: String? = nil, city: String) {
        self.address = address
        self.city = city
    }

    init?(complex: EdmComplexValue) {
        guard let address: String? = complex.optional("Address") else { return nil }
        self.address = address
        guard let city: String = complex.value("City") else { return nil }
        self.city = city
        self.additional = complex.additional(to: Self.propertyNames)
    }

    var complex: EdmComplexValue {
        EdmComplexValue(
            [
                .init(name: "Address", value: address?.edm ?? .null),
                .init(name: "City", value: city.edm),
            ], and: additional)
    }

    struct Fields: QueryFields {
        let path: FieldPath
        var address: QueryOperand<String> { path.property("Address") }
        var city: QueryOperand<String> { path.property("City") }
    }
}
