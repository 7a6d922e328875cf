import ODataGeneration
import Testing

/// What is written of annotations and facets, also those of a base type, to the letter.
@Suite struct GoldenDocumentationTests {
    private static let document = #"""
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Measures.V1.xml">
          <edmx:Include Namespace="Org.OData.Measures.V1" Alias="Measures"/>
        </edmx:Reference>
        <edmx:DataServices>
        <Schema Namespace="Plants" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Place" Abstract="true">
            <Key><PropertyRef Name="Code"/></Key>
            <Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="8">
              <Annotation Term="Org.OData.Core.V1.Immutable"/>
            </Property>
            <Property Name="Position" Type="Edm.GeographyPoint">
              <Annotation Term="Org.OData.Core.V1.Description" String="Where it is"/>
            </Property>
          </EntityType>
          <EntityType Name="Plant" BaseType="Plants.Place">
            <Annotation Term="Org.OData.Core.V1.Description" String="A place where things are made"/>
            <Annotation Term="Org.OData.Core.V1.LongDescription"
              String="Plants have a budget of their own, which is planned once a year. It is never less than
              the rent, and never more than what the company has left when the year begins."/>
            <Property Name="Budget" Type="Edm.Decimal" Nullable="false" Precision="12" Scale="2">
              <Annotation Term="Measures.ISOCurrency" Path="Currency"/>
            </Property>
            <Property Name="Currency" Type="Edm.String" Nullable="false" MaxLength="3" DefaultValue="EUR"/>
            <Property Name="Rent" Type="Edm.Decimal" Precision="9" Scale="variable">
              <Annotation Term="Measures.ISOCurrency" String="EUR"/>
            </Property>
            <Property Name="Height" Type="Edm.Double">
              <Annotation Term="Org.OData.Core.V1.LongDescription" String="Above the sea."/>
              <Annotation Term="Measures.Unit" String="m"/>
            </Property>
            <Property Name="Founded" Type="Edm.Date">
              <Annotation Term="Org.OData.Core.V1.Immutable" Bool="false"/>
            </Property>
            <Property Name="Area" Type="Edm.GeographyPolygon"/>
            <Property Name="Plan" Type="Edm.Binary" MaxLength="4000"/>
          </EntityType>
          <EntityContainer Name="Container">
            <Annotation Term="Org.OData.Core.V1.Description" String="Where we work"/>
            <EntitySet Name="Plants" EntityType="Plants.Plant">
              <Annotation Term="Org.OData.Core.V1.Description" String="All of them"/>
            </EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#

    @Test func annotationsAndFacetsAreDocumentedInDerivedTypesToo() throws {
        let files = try generated(Self.document)
        #expect(
            files["Plant.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                /// A place where things are made
                ///
                /// Plants have a budget of their own, which is planned once a year. It is never less than the rent, and never more than
                /// what the company has left when the year begins.
                ///
                /// `Plants.Plant`
                struct Plant: TypedEntity {
                    static let typeName = EdmQualifiedName("Plants.Plant")
                    static let propertyNames = ["Code", "Position", "Budget", "Currency", "Rent", "Height", "Founded", "Area", "Plan"]
                    static let keyNames = ["Code"]
                    static let navigationNames: [String] = []

                    private var codeValue: String?
                    /// At most 8 characters. Fixed once the entity exists.
                    ///
                    /// "" until the service has made it.
                    var code: String {
                        get { codeValue ?? "" }
                        set { codeValue = newValue }
                    }
                    /// Where it is
                    var position: EdmGeo?
                    /// At most 12 digits, 2 of them after the point. In the unit of `currency`.
                    var budget: EdmDecimal
                    private var currencyValue: String?
                    /// At most 3 characters. By default EUR.
                    ///
                    /// "EUR" until the service has made it.
                    var currency: String {
                        get { currencyValue ?? "EUR" }
                        set { currencyValue = newValue }
                    }
                    /// At most 9 digits. In EUR.
                    var rent: EdmDecimal?
                    /// Above the sea.
                    ///
                    /// In m.
                    var height: Double?
                    var founded: EdmDate?
                    var area: EdmGeo?
                    /// At most 4000 bytes.
                    var plan: [UInt8]?
                    var origin: EntityOrigin<Plant>?

                    init(
                        code: String? = nil, position: EdmGeo? = nil, budget: EdmDecimal, currency: String? = nil,
                        rent: EdmDecimal? = nil, height: Double? = nil, founded: EdmDate? = nil, area: EdmGeo? = nil,
                        plan: [UInt8]? = nil
                    ) {
                        self.codeValue = code
                        self.position = position
                        self.budget = budget
                        self.currencyValue = currency
                        self.rent = rent
                        self.height = height
                        self.founded = founded
                        self.area = area
                        self.plan = plan
                    }

                    init(_ row: TypedRow) throws(ODataError) {
                        self.codeValue = try row.optional(0)
                        self.position = try row.optional(1)
                        self.budget = try row.value(2)
                        self.currencyValue = try row.optional(3)
                        self.rent = try row.optional(4)
                        self.height = try row.optional(5)
                        self.founded = try row.optional(6)
                        self.area = try row.optional(7)
                        self.plan = try row.optional(8)
                    }

                    func value(at index: Int) -> EdmValue? {
                        switch index {
                        case 0: codeValue?.edm
                        case 1: position?.edm ?? .null
                        case 2: budget.edm
                        case 3: currencyValue?.edm
                        case 4: rent?.edm ?? .null
                        case 5: height?.edm ?? .null
                        case 6: founded?.edm ?? .null
                        case 7: area?.edm ?? .null
                        case 8: plan?.edm ?? .null
                        default: nil
                        }
                    }

                    func related(at index: Int) -> RelatedEntities? { nil }

                    static func entityKey(_ key: String) -> EntityKey { EntityKey("Code", key.edm) }

                    struct Fields: QueryFields {
                        let path: FieldPath
                        var code: QueryOperand<String> { path.property("Code") }
                        var position: QueryOperand<EdmGeo> { path.property("Position") }
                        var budget: QueryOperand<EdmDecimal> { path.property("Budget") }
                        var currency: QueryOperand<String> { path.property("Currency") }
                        var rent: QueryOperand<EdmDecimal> { path.property("Rent") }
                        var height: QueryOperand<Double> { path.property("Height") }
                        var founded: QueryOperand<EdmDate> { path.property("Founded") }
                        var area: QueryOperand<EdmGeo> { path.property("Area") }
                        var plan: QueryOperand<[UInt8]> { path.property("Plan") }
                    }
                }

                """#)
    }

    @Test func containersAndSetsAreDocumented() throws {
        let files = try generated(Self.document)
        #expect(
            files["PlantsService.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                /// Where we work
                struct PlantsService: Sendable {
                    let collections: EntityCollections

                    init(_ store: any ODataStore) {
                        collections = EntityCollections(store)
                    }

                    /// All of them
                    ///
                    /// `Plants`
                    var plants: EntityCollection<Plant> { collections.of(Plant.self, in: "Plants") }
                }

                """#)
    }
}
