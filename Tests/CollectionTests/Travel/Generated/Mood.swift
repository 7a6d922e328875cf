// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Mood`
struct Mood: EnumerationValue, CaseIterable {
    static let typeName = EdmQualifiedName("Travel.Mood")
    static let members: [EdmEnumType.Member] = [.init(name: "Calm", value: 0), .init(name: "Happy", value: 1)]
    static let allCases: [Mood] = [.calm, .happy]

    static let calm = Mood(rawValue: "Calm")
    static let happy = Mood(rawValue: "Happy")

    let rawValue: String
}
