// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Shop.Category`
struct Category: TypedEntity {
    static let typeName = EdmQualifiedName("Shop.Category")
    static let propertyNames = ["ID", "Name"]
    static let keyNames = ["ID"]
    static let navigationNames = ["Products"]

    private var idValue: Int32?
    /// 0 until the service has made it.
    var id: Int32 {
        get { idValue ?? 0 }
        set { idValue = newValue }
    }
    var name: String?
    var products: [Product]?
    var origin: EntityOrigin<Category>?

    init(id: Int32? = nil, name: String? = nil, products: [Product]? = nil) {
        self.idValue = id
        self.name = name
        self.products = products
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.idValue = try row.optional(0)
        self.name = try row.optional(1)
        self.products = try row.many(0)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: idValue?.edm
        case 1: name?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: products.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
        var name: QueryOperand<String> { path.property("Name") }
        var products: ToMany<Product> { path.toMany("Products") }
    }
}
