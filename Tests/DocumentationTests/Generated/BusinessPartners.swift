// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `field_service.BusinessPartners`
struct BusinessPartners: TypedEntity {
    static let typeName = EdmQualifiedName("field_service.BusinessPartners")
    static let propertyNames = ["BusinessPartnerID", "Name", "City", "Country", "Email", "CreditLimit", "CreatedAt"]
    static let keyNames = ["BusinessPartnerID"]
    static let navigationNames = ["SalesOrders"]

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

    func value(at index: Int) -> EdmValue? {
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
        var businessPartnerID: QueryOperand<Int64> { path.property("BusinessPartnerID") }
        var name: QueryOperand<String> { path.property("Name") }
        var city: QueryOperand<String> { path.property("City") }
        var country: QueryOperand<String> { path.property("Country") }
        var email: QueryOperand<String> { path.property("Email") }
        var creditLimit: QueryOperand<EdmDecimal> { path.property("CreditLimit") }
        var createdAt: QueryOperand<EdmDateTimeOffset> { path.property("CreatedAt") }
        var salesOrders: ToMany<SalesOrders> { path.toMany("SalesOrders") }
    }
}
