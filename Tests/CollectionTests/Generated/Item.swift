// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Shop.Item`
struct Item: TypedEntity {
    static let typeName = EdmQualifiedName("Shop.Item")
    static let propertyNames = ["ProductID", "Line", "Quantity"]
    static let keyNames = ["ProductID", "Line"]
    static let navigationNames = ["Product"]

    private var productIDValue: Int32?
    /// 0 until the service has made it.
    var productID: Int32 {
        get { productIDValue ?? 0 }
        set { productIDValue = newValue }
    }
    private var lineValue: Int32?
    /// 0 until the service has made it.
    var line: Int32 {
        get { lineValue ?? 0 }
        set { lineValue = newValue }
    }
    var quantity: Int32
    @ExpandedEntity var product: Product?
    var origin: EntityOrigin<Item>?

    init(productID: Int32? = nil, line: Int32? = nil, quantity: Int32, product: Product? = nil) {
        self.productIDValue = productID
        self.lineValue = line
        self.quantity = quantity
        self._product = ExpandedEntity(wrappedValue: product)
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.productIDValue = try row.optional(0)
        self.lineValue = try row.optional(1)
        self.quantity = try row.value(2)
        self._product = try row.one(0)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: productIDValue?.edm
        case 1: lineValue?.edm
        case 2: quantity.edm
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: product.map { .one($0) }
        default: nil
        }
    }

    struct Key: Hashable, Sendable {
        var productID: Int32
        var line: Int32
    }

    static func entityKey(_ key: Key) -> EntityKey {
        EntityKey([.init(name: "ProductID", value: key.productID.edm), .init(name: "Line", value: key.line.edm)])
    }

    struct Fields: QueryFields {
        let path: FieldPath
        var productID: QueryOperand<Int32> { path.property("ProductID") }
        var line: QueryOperand<Int32> { path.property("Line") }
        var quantity: QueryOperand<Int32> { path.property("Quantity") }
        var product: ToOne<Product> { path.toOne("Product") }
    }
}
