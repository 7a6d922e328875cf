// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `field_service.BusinessPartners`
struct BusinessPartners: TypedEntity {
    static let typeName = QualifiedName("field_service.BusinessPartners")
    static let propertyNames = ["BusinessPartnerID", "Name", "City", "Country", "Email", "CreditLimit", "CreatedAt"]
    static let keyNames = ["BusinessPartnerID"]
    static let relationNames = ["SalesOrders"]

    private var businessPartnerIDValue: Int64?
    /// 0 until the service has made it.
    var businessPartnerID: Int64 {
        get { businessPartnerIDValue ?? 0 }
        set { businessPartnerIDValue = newValue }
    }
    /// At most 80 characters.
    var name: String
    var city: String?
    /// At most 2 characters.
    var country: String?
    var email: String?
    /// At most 12 digits, 2 of them after the point.
    var creditLimit: EdmDecimal?
    var createdAt: EdmDateTimeOffset?
    var salesOrders: [SalesOrders]?
    var origin: EntityOrigin<BusinessPartners>?

    init(
        businessPartnerID: Int64? = nil, name: String, city: String? = nil, country: String? = nil,
        email: String? = nil, creditLimit: EdmDecimal? = nil, createdAt: EdmDateTimeOffset? = nil,
        salesOrders: [SalesOrders]? = nil
    ) {
        self.businessPartnerIDValue = businessPartnerID
        self.name = name
        self.city = city
        self.country = country
        self.email = email
        self.creditLimit = creditLimit
        self.createdAt = createdAt
        self.salesOrders = salesOrders
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.businessPartnerIDValue = try row.optional(0)
        self.name = try row.value(1)
        self.city = try row.optional(2)
        self.country = try row.optional(3)
        self.email = try row.optional(4)
        self.creditLimit = try row.optional(5)
        self.createdAt = try row.optional(6)
        self.salesOrders = try row.many(0)
    }

    func value(at index: Int) -> Value? {
        switch index {
        case 0: businessPartnerIDValue?.edm
        case 1: name.edm
        case 2: city?.edm ?? .null
        case 3: country?.edm ?? .null
        case 4: email?.edm ?? .null
        case 5: creditLimit?.edm ?? .null
        case 6: createdAt?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: salesOrders.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int64) -> EntityKey { EntityKey("BusinessPartnerID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var businessPartnerID: Operand<Int64> { path.property("BusinessPartnerID") }
        var name: Operand<String> { path.property("Name") }
        var city: Operand<String> { path.property("City") }
        var country: Operand<String> { path.property("Country") }
        var email: Operand<String> { path.property("Email") }
        var creditLimit: Operand<EdmDecimal> { path.property("CreditLimit") }
        var createdAt: Operand<EdmDateTimeOffset> { path.property("CreatedAt") }
        var salesOrders: ToMany<SalesOrders> { path.toMany("SalesOrders") }
    }
}

/// `field_service.SalesOrders`
struct SalesOrders: TypedEntity {
    static let typeName = QualifiedName("field_service.SalesOrders")
    static let propertyNames = ["SalesOrderID", "BusinessPartnerID", "OrderDate", "Status", "Note"]
    static let keyNames = ["SalesOrderID"]
    static let relationNames = ["BusinessPartner", "SalesOrderItems"]

    private var salesOrderIDValue: Int64?
    /// 0 until the service has made it.
    var salesOrderID: Int64 {
        get { salesOrderIDValue ?? 0 }
        set { salesOrderIDValue = newValue }
    }
    var businessPartnerID: Int64
    var orderDate: EdmDate
    private var statusValue: String?
    /// By default new.
    ///
    /// "" until the service has made it.
    var status: String {
        get { statusValue ?? "" }
        set { statusValue = newValue }
    }
    var note: String?
    @Expanded var businessPartner: BusinessPartners?
    var salesOrderItems: [SalesOrderItems]?
    var origin: EntityOrigin<SalesOrders>?

    init(
        salesOrderID: Int64? = nil, businessPartnerID: Int64, orderDate: EdmDate, status: String? = nil,
        note: String? = nil, businessPartner: BusinessPartners? = nil, salesOrderItems: [SalesOrderItems]? = nil
    ) {
        self.salesOrderIDValue = salesOrderID
        self.businessPartnerID = businessPartnerID
        self.orderDate = orderDate
        self.statusValue = status
        self.note = note
        self._businessPartner = Expanded(wrappedValue: businessPartner)
        self.salesOrderItems = salesOrderItems
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.salesOrderIDValue = try row.optional(0)
        self.businessPartnerID = try row.value(1)
        self.orderDate = try row.value(2)
        self.statusValue = try row.optional(3)
        self.note = try row.optional(4)
        self._businessPartner = try row.one(0)
        self.salesOrderItems = try row.many(1)
    }

    func value(at index: Int) -> Value? {
        switch index {
        case 0: salesOrderIDValue?.edm
        case 1: businessPartnerID.edm
        case 2: orderDate.edm
        case 3: statusValue?.edm
        case 4: note?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: businessPartner.map { .one($0) }
        case 1: salesOrderItems.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int64) -> EntityKey { EntityKey("SalesOrderID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var salesOrderID: Operand<Int64> { path.property("SalesOrderID") }
        var businessPartnerID: Operand<Int64> { path.property("BusinessPartnerID") }
        var orderDate: Operand<EdmDate> { path.property("OrderDate") }
        var status: Operand<String> { path.property("Status") }
        var note: Operand<String> { path.property("Note") }
        var businessPartner: ToOne<BusinessPartners> { path.toOne("BusinessPartner") }
        var salesOrderItems: ToMany<SalesOrderItems> { path.toMany("SalesOrderItems") }
    }
}

/// `field_service.SalesOrderItems`
struct SalesOrderItems: TypedEntity {
    static let typeName = QualifiedName("field_service.SalesOrderItems")
    static let propertyNames = ["SalesOrderID", "Position", "ProductID", "Quantity", "Price"]
    static let keyNames = ["SalesOrderID", "Position"]
    static let relationNames = ["SalesOrder"]

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
    @Expanded var salesOrder: SalesOrders?
    var origin: EntityOrigin<SalesOrderItems>?

    init(
        salesOrderID: Int64? = nil, position: Int64? = nil, productID: String, quantity: Int64, price: EdmDecimal,
        salesOrder: SalesOrders? = nil
    ) {
        self.salesOrderIDValue = salesOrderID
        self.positionValue = position
        self.productID = productID
        self.quantity = quantity
        self.price = price
        self._salesOrder = Expanded(wrappedValue: salesOrder)
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.salesOrderIDValue = try row.optional(0)
        self.positionValue = try row.optional(1)
        self.productID = try row.value(2)
        self.quantity = try row.value(3)
        self.price = try row.value(4)
        self._salesOrder = try row.one(0)
    }

    func value(at index: Int) -> Value? {
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
        var salesOrderID: Operand<Int64> { path.property("SalesOrderID") }
        var position: Operand<Int64> { path.property("Position") }
        var productID: Operand<String> { path.property("ProductID") }
        var quantity: Operand<Int64> { path.property("Quantity") }
        var price: Operand<EdmDecimal> { path.property("Price") }
        var salesOrder: ToOne<SalesOrders> { path.toOne("SalesOrder") }
    }
}

struct FieldService: Sendable {
    let collections: Collections

    init(_ store: any ODataStore) {
        collections = Collections(store)
    }

    /// `BusinessPartners`
    var businessPartners: EntityCollection<BusinessPartners> {
        collections.of(BusinessPartners.self, in: "BusinessPartners")
    }

    /// `SalesOrders`
    var salesOrders: EntityCollection<SalesOrders> { collections.of(SalesOrders.self, in: "SalesOrders") }

    /// `SalesOrderItems`
    var salesOrderItems: EntityCollection<SalesOrderItems> {
        collections.of(SalesOrderItems.self, in: "SalesOrderItems")
    }
}
