// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Shop.Size`
struct Size: ComplexPropertyValue, QueryElement {
    static let typeName = QualifiedName("Shop.Size")
    static let propertyNames = ["Width", "Unit"]

    var width: Double
    var unit: String?
    /// Members that this structure does not know, with the name of a derived type: written back as read.
    var additional = ComplexValue()

    init(width: Double, unit: String? = nil) {
        self.width = width
        self.unit = unit
    }

    init?(complex: ComplexValue) {
        guard let width: Double = complex.value("Width") else { return nil }
        self.width = width
        guard let unit: String? = complex.optional("Unit") else { return nil }
        self.unit = unit
        self.additional = complex.additional(to: Self.propertyNames)
    }

    var complex: ComplexValue {
        ComplexValue(
            [.init(name: "Width", value: width.edm), .init(name: "Unit", value: unit?.edm ?? .null)], and: additional)
    }

    struct Fields: QueryFields {
        let path: FieldPath
        var width: Operand<Double> { path.property("Width") }
        var unit: Operand<String> { path.property("Unit") }
    }
}
