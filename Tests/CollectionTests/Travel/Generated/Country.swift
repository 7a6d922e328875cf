// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Country`
struct Country: TypedEntity {
    static let typeName = EdmQualifiedName("Travel.Country")
    static let propertyNames = ["Code", "Name"]
    static let keyNames = ["Code"]
    static let navigationNames: [String] = []

    private var codeValue: String?
    /// "" until the service has made it.
    var code: String {
        get { codeValue ?? "" }
        set { codeValue = newValue }
    }
    var name: String?
    var origin: EntityOrigin<Country>?

    init(code: String? = nil, name: String? = nil) {
        self.codeValue = code
        self.name = name
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.codeValue = try row.optional(0)
        self.name = try row.optional(1)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: codeValue?.edm
        case 1: name?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? { nil }

    static func entityKey(_ key: String) -> EntityKey { EntityKey("Code", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var code: QueryOperand<String> { path.property("Code") }
        var name: QueryOperand<String> { path.property("Name") }
    }
}
