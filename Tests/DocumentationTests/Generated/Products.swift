// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `field_service.Products`
struct Products: TypedEntity {
    static let typeName = EdmQualifiedName("field_service.Products")
    static let propertyNames = ["ProductID", "Name", "Category", "Price", "Weight", "Discontinued"]
    static let keyNames = ["ProductID"]
    static let navigationNames = ["SalesOrderItems"]

    private var productIDValue: String?
    /// At most 10 characters.
    ///
    /// "" until the service has made it.
    var productID: String {
        get { productIDValue ?? "" }
        set { productIDValue = newValue }
    }
    var name: String
    var category: String?
    /// At most 10 digits, 2 of them after the point.
    var price: EdmDecimal
    var weight: Double?
    private var discontinuedValue: Bool?
    /// By default false.
    ///
    /// false until the service has made it.
    var discontinued: Bool {
        get { discontinuedValue ?? false }
        set { discontinuedValue = newValue }
    }
    var salesOrderItems: [SalesOrderItems]?
    var origin: EntityOrigin<Products>?

    init(
        productID: String? = nil, name: String, category: String? = nil, price: EdmDecimal, weight: Double? = nil,
        discontinued: Bool? = nil, salesOrderItems: [SalesOrderItems]? = nil
    ) {
        self.productIDValue = productID
        self.name = name
        self.category = category
        self.price = price
        self.weight = weight
        self.discontinuedValue = discontinued
        self.salesOrderItems = salesOrderItems
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.productIDValue = try row.optional(0)
        self.name = try row.value(1)
        self.category = try row.optional(2)
        self.price = try row.value(3)
        self.weight = try row.optional(4)
        self.discontinuedValue = try row.optional(5)
        self.salesOrderItems = try row.many(0)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: productIDValue?.edm
        case 1: name.edm
        case 2: category?.edm ?? .null
        case 3: price.edm
        case 4: weight?.edm ?? .null
        case 5: discontinuedValue?.edm
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: salesOrderItems.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: String) -> EntityKey { EntityKey("ProductID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var productID: QueryOperand<String> { path.property("ProductID") }
        var name: QueryOperand<String> { path.property("Name") }
        var category: QueryOperand<String> { path.property("Category") }
        var price: QueryOperand<EdmDecimal> { path.property("Price") }
        var weight: QueryOperand<Double> { path.property("Weight") }
        var discontinued: QueryOperand<Bool> { path.property("Discontinued") }
        var salesOrderItems: ToMany<SalesOrderItems> { path.toMany("SalesOrderItems") }
    }
}
