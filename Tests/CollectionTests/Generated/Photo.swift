// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Shop.Photo`
struct Photo: TypedEntity {
    static let typeName = EdmQualifiedName("Shop.Photo")
    static let propertyNames = ["ID", "Caption"]
    static let keyNames = ["ID"]
    static let navigationNames: [String] = []

    private var idValue: Int32?
    /// 0 until the service has made it.
    var id: Int32 {
        get { idValue ?? 0 }
        set { idValue = newValue }
    }
    var caption: String?
    var origin: EntityOrigin<Photo>?

    init(id: Int32? = nil, caption: String? = nil) {
        self.idValue = id
        self.caption = caption
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.idValue = try row.optional(0)
        self.caption = try row.optional(1)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: idValue?.edm
        case 1: caption?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? { nil }

    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
        var caption: QueryOperand<String> { path.property("Caption") }
    }
}
