// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Permits`
struct PartialPermits: FlagsValue {
    static let typeName = EdmQualifiedName("Travel.Permits")
    private static let members: [EdmEnumType.Member] = [.init(name: "Read", value: 1), .init(name: "Write", value: 2)]
    static let type = EdmEnumType(name: typeName, underlyingType: .int32, isFlags: true, members: members)

    static let read = PartialPermits(rawValue: 1)
    static let write = PartialPermits(rawValue: 2)

    let rawValue: Int64
    var unknownMembers: Set<String> = []

    init(rawValue: Int64) { self.rawValue = rawValue }
}
