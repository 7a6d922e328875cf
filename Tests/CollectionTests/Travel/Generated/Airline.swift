// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Airline`
struct Airline: TypedEntity {
    static let typeName = EdmQualifiedName("Travel.Airline")
    static let propertyNames = ["Code", "Name"]
    static let keyNames = ["Code"]
    static let navigationNames: [String] = []

    private var codeValue: String?
    /// "" until the service has made it.
    var code: String {
        get { codeValue ?? "" }
        set { codeValue = newValue }
    }
    var name: String
    var origin: EntityOrigin<Airline>?

    init(code: String? = nil, name: String) {
        self.codeValue = code
        self.name = name
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.codeValue = try row.optional(0)
        self.name = try row.value(1)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: codeValue?.edm
        case 1: name.edm
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
