// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Mood`
struct PartialMood: EnumerationValue, CaseIterable {
    static let typeName = EdmQualifiedName("Travel.Mood")
    static let members: [EdmEnumType.Member] = [.init(name: "Calm", value: 0), .init(name: "Happy", value: 1)]
    static let allCases: [PartialMood] = [.calm, .happy]

    static let calm = PartialMood(rawValue: "Calm")
    static let happy = PartialMood(rawValue: "Happy")

    let rawValue: String
}
