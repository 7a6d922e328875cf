// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Shop.Color`
struct Color: EnumerationValue, CaseIterable {
    static let typeName = EdmQualifiedName("Shop.Color")
    static let members: [EdmEnumType.Member] = [.init(name: "Red", value: 0), .init(name: "Blue", value: 1)]
    static let allCases: [Color] = [.red, .blue]

    static let red = Color(rawValue: "Red")
    static let blue = Color(rawValue: "Blue")

    let rawValue: String
}
