// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Shop.Size`
struct Size: ComplexPropertyValue, QueryElement {
    static let typeName = EdmQualifiedName("Shop.Size")
    static let propertyNames = ["Width", "Unit"]

    var width: Double
    var unit: String?
    /// Members that this structure does not know, with the name of a derived type: written back as read.
    var additional = EdmComplexValue()

    init(width: Double, unit: String? = nil) {
        self.width = width
        self.unit = unit
    }

    init?(complex: EdmComplexValue) {
        guard let width: Double = complex.value("Width") else { return nil }
        self.width = width
        guard let unit: String? = complex.optional("Unit") else { return nil }
        self.unit = unit
        self.additional = complex.additional(to: Self.propertyNames)
    }

    var complex: EdmComplexValue {
        EdmComplexValue(
            [.init(name: "Width", value: width.edm), .init(name: "Unit", value: unit?.edm ?? .null)], and: additional)
    }

    struct Fields: QueryFields {
        let path: FieldPath
        var width: QueryOperand<Double> { path.property("Width") }
        var unit: QueryOperand<String> { path.property("Unit") }
    }
}
