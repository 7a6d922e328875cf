// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Shop.Color`
struct Color: EnumerationValue {
    static let typeName = QualifiedName("Shop.Color")

    static let red = Color(rawValue: "Red")
    static let blue = Color(rawValue: "Blue")

    let rawValue: String
}
