// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `field_service.SalesOrders`
struct SalesOrders: TypedEntity {
    static let typeName = EdmQualifiedName("field_service.SalesOrders")
    static let propertyNames = ["SalesOrderID", "BusinessPartnerID", "OrderDate", "Status", "Note"]
    static let keyNames = ["SalesOrderID"]
    static let navigationNames = ["BusinessPartner", "SalesOrderItems"]

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
    /// "new" until the service has made it.
    var status: String {
        get { statusValue ?? "new" }
        set { statusValue = newValue }
    }
    var note: String?
    @ExpandedEntity var businessPartner: BusinessPartners?
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
        self._businessPartner = ExpandedEntity(wrappedValue: businessPartner)
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

    func value(at index: Int) -> EdmValue? {
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
        var salesOrderID: QueryOperand<Int64> { path.property("SalesOrderID") }
        var businessPartnerID: QueryOperand<Int64> { path.property("BusinessPartnerID") }
        var orderDate: QueryOperand<EdmDate> { path.property("OrderDate") }
        var status: QueryOperand<String> { path.property("Status") }
        var note: QueryOperand<String> { path.property("Note") }
        var businessPartner: ToOne<BusinessPartners> { path.toOne("BusinessPartner") }
        var salesOrderItems: ToMany<SalesOrderItems> { path.toMany("SalesOrderItems") }
    }
}
