// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `field_service.SalesOrderItems`
struct SalesOrderItems: TypedEntity {
    static let typeName = EdmQualifiedName("field_service.SalesOrderItems")
    static let propertyNames = ["SalesOrderID", "Position", "ProductID", "Quantity", "Price"]
    static let keyNames = ["SalesOrderID", "Position"]
    static let navigationNames = ["SalesOrder", "Product"]

    private var salesOrderIDValue: Int64?
    /// 0 until the service has made it.
    var salesOrderID: Int64 {
        get { salesOrderIDValue ?? 0 }
        set { salesOrderIDValue = newValue }
    }
    private var positionValue: Int64?
    /// 0 until the service has made it.
    var position: Int64 {
        get { positionValue ?? 0 }
        set { positionValue = newValue }
    }
    /// At most 10 characters.
    var productID: String
    var quantity: Int64
    /// At most 10 digits, 2 of them after the point.
    var price: EdmDecimal
    @ExpandedEntity var salesOrder: SalesOrders?
    @ExpandedEntity var product: Products?
    var origin: EntityOrigin<SalesOrderItems>?

    init(
        salesOrderID: Int64? = nil, position: Int64? = nil, productID: String, quantity: Int64, price: EdmDecimal,
        salesOrder: SalesOrders? = nil, product: Products? = nil
    ) {
        self.salesOrderIDValue = salesOrderID
        self.positionValue = position
        self.productID = productID
        self.quantity = quantity
        self.price = price
        self._salesOrder = ExpandedEntity(wrappedValue: salesOrder)
        self._product = ExpandedEntity(wrappedValue: product)
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.salesOrderIDValue = try row.optional(0)
        self.positionValue = try row.optional(1)
        self.productID = try row.value(2)
        self.quantity = try row.value(3)
        self.price = try row.value(4)
        self._salesOrder = try row.one(0)
        self._product = try row.one(1)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: salesOrderIDValue?.edm
        case 1: positionValue?.edm
        case 2: productID.edm
        case 3: quantity.edm
        case 4: price.edm
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: salesOrder.map { .one($0) }
        case 1: product.map { .one($0) }
        default: nil
        }
    }

    struct Key: Hashable, Sendable {
        var salesOrderID: Int64
        var position: Int64
    }

    static func entityKey(_ key: Key) -> EntityKey {
        EntityKey([
            .init(name: "SalesOrderID", value: key.salesOrderID.edm),
            .init(name: "Position", value: key.position.edm),
        ])
    }

    struct Fields: QueryFields {
        let path: FieldPath
        var salesOrderID: QueryOperand<Int64> { path.property("SalesOrderID") }
        var position: QueryOperand<Int64> { path.property("Position") }
        var productID: QueryOperand<String> { path.property("ProductID") }
        var quantity: QueryOperand<Int64> { path.property("Quantity") }
        var price: QueryOperand<EdmDecimal> { path.property("Price") }
        var salesOrder: ToOne<SalesOrders> { path.toOne("SalesOrder") }
        var product: ToOne<Products> { path.toOne("Product") }
    }
}
