import ODataGeneration
import Testing

/// What is written of metadata of V2 with the attributes of SAP, to the letter.
@Suite struct GoldenLegacyTests {
    private static let document = #"""
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
          xmlns:sap="http://www.sap.com/Protocols/SAPData">
        <edmx:DataServices m:DataServiceVersion="2.0">
        <Schema Namespace="SALES_SRV" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
          <EntityType Name="Order" sap:label="Sales order">
            <Key><PropertyRef Name="ORDER_ID"/></Key>
            <Property Name="ORDER_ID" Type="Edm.String" Nullable="false" MaxLength="10" sap:label="Order"
              sap:quickinfo="Number of the sales order"/>
            <Property Name="NET_AMOUNT" Type="Edm.Decimal" Precision="16" Scale="3" sap:label="Net amount"
              sap:unit="CURRENCY_CODE"/>
            <Property Name="CURRENCY_CODE" Type="Edm.String" MaxLength="5" sap:label="Currency" sap:quickinfo="Currency"
              sap:semantics="currency-code"/>
            <Property Name="Weight" Type="Edm.Decimal" Precision="13" sap:quickinfo="Gross weight"
              sap:unit="UnitOfPartner"/>
            <Property Name="CreatedAt" Type="Edm.DateTime" Nullable="false" sap:label="Created" sap:creatable="false"/>
            <NavigationProperty Name="Next" Relationship="SALES_SRV.Followers" FromRole="Before" ToRole="After"
              sap:label="What follows"/>
          </EntityType>
          <Association Name="Followers">
            <End Type="SALES_SRV.Order" Multiplicity="*" Role="Before"/>
            <End Type="SALES_SRV.Order" Multiplicity="*" Role="After"/>
          </Association>
          <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
            <EntitySet Name="Orders" EntityType="SALES_SRV.Order" sap:label="All orders"/>
            <AssociationSet Name="FollowerSet" Association="SALES_SRV.Followers">
              <End EntitySet="Orders" Role="Before"/><End EntitySet="Orders" Role="After"/>
            </AssociationSet>
            <FunctionImport Name="Release" ReturnType="SALES_SRV.Order" EntitySet="Orders" m:HttpMethod="POST"
              sap:label="Releases an order">
              <Parameter Name="ORDER_ID" Type="Edm.String" Mode="In" Nullable="false"/>
            </FunctionImport>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#

    @Test func labelsQuickInfosAndUnitsAreDocumented() throws {
        let files = try generated(Self.document)
        #expect(
            files["Order.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                /// Sales order
                ///
                /// `SALES_SRV.Order`
                struct Order: TypedEntity {
                    static let typeName = EdmQualifiedName("SALES_SRV.Order")
                    static let propertyNames = ["ORDER_ID", "NET_AMOUNT", "CURRENCY_CODE", "Weight", "CreatedAt"]
                    static let keyNames = ["ORDER_ID"]
                    static let navigationNames = ["Next"]

                    private var orderIDValue: String?
                    /// Order
                    ///
                    /// Number of the sales order
                    ///
                    /// At most 10 characters.
                    ///
                    /// "" until the service has made it.
                    var orderID: String {
                        get { orderIDValue ?? "" }
                        set { orderIDValue = newValue }
                    }
                    /// Net amount
                    ///
                    /// At most 16 digits, 3 of them after the point. In the unit of `currencyCode`.
                    var netAmount: EdmDecimal?
                    /// Currency
                    ///
                    /// At most 5 characters.
                    var currencyCode: String?
                    /// Gross weight
                    ///
                    /// At most 13 digits. In the unit of `UnitOfPartner`.
                    var weight: EdmDecimal?
                    private var createdAtValue: EdmDateTimeOffset?
                    /// Created
                    ///
                    /// `EdmDateTimeOffset(secondsSinceEpoch: 0)` until the service has made it.
                    var createdAt: EdmDateTimeOffset {
                        get { createdAtValue ?? EdmDateTimeOffset(secondsSinceEpoch: 0) }
                        set { createdAtValue = newValue }
                    }
                    /// What follows
                    var next: [Order]?
                    var origin: EntityOrigin<Order>?

                    init(
                        orderID: String? = nil, netAmount: EdmDecimal? = nil, currencyCode: String? = nil, weight: EdmDecimal? = nil,
                        createdAt: EdmDateTimeOffset? = nil, next: [Order]? = nil
                    ) {
                        self.orderIDValue = orderID
                        self.netAmount = netAmount
                        self.currencyCode = currencyCode
                        self.weight = weight
                        self.createdAtValue = createdAt
                        self.next = next
                    }

                    init(_ row: TypedRow) throws(ODataError) {
                        self.orderIDValue = try row.optional(0)
                        self.netAmount = try row.optional(1)
                        self.currencyCode = try row.optional(2)
                        self.weight = try row.optional(3)
                        self.createdAtValue = try row.optional(4)
                        self.next = try row.many(0)
                    }

                    func value(at index: Int) -> EdmValue? {
                        switch index {
                        case 0: orderIDValue?.edm
                        case 1: netAmount?.edm ?? .null
                        case 2: currencyCode?.edm ?? .null
                        case 3: weight?.edm ?? .null
                        case 4: createdAtValue?.edm
                        default: nil
                        }
                    }

                    func related(at index: Int) -> RelatedEntities? {
                        switch index {
                        case 0: next.map { .many($0) }
                        default: nil
                        }
                    }

                    static func entityKey(_ key: String) -> EntityKey { EntityKey("ORDER_ID", key.edm) }

                    struct Fields: QueryFields {
                        let path: FieldPath
                        var orderID: QueryOperand<String> { path.property("ORDER_ID") }
                        var netAmount: QueryOperand<EdmDecimal> { path.property("NET_AMOUNT") }
                        var currencyCode: QueryOperand<String> { path.property("CURRENCY_CODE") }
                        var weight: QueryOperand<EdmDecimal> { path.property("Weight") }
                        var createdAt: QueryOperand<EdmDateTimeOffset> { path.property("CreatedAt") }
                        var next: ToMany<Order> { path.toMany("Next") }
                    }
                }

                """#)
    }

    @Test func labelsOfSetsAndFunctionImportsAreDocumented() throws {
        let files = try generated(Self.document)
        #expect(
            files["SalesService.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                struct SalesService: Sendable {
                    let collections: EntityCollections

                    init(_ store: any ODataStore) {
                        collections = EntityCollections(store)
                    }

                    /// All orders
                    ///
                    /// `Orders`
                    var orders: EntityCollection<Order> { collections.of(Order.self, in: "Orders") }

                    /// Releases an order
                    ///
                    /// `Release`
                    ///
                    /// - Returns: Nil, too, where the store sends changes later.
                    @discardableResult
                    func release(orderID: String) async throws -> Order? {
                        try await collections.action("Release", ["ORDER_ID": orderID.edm]).entity()
                    }
                }

                """#)
    }
}
