import ODataGeneration
import Testing

/// What is written of a small model, to the letter.
@Suite struct GoldenTests {
    @Test func entityTypesBecomeStructures() throws {
        let files = try generated(ShopModel.document)
        #expect(
            files["Product.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                /// `Shop.Product`
                struct Product: TypedEntity {
                    static let typeName = EdmQualifiedName("Shop.Product")
                    static let propertyNames = ["ID", "Name", "Weight", "Color", "Size", "Tags", "Changed"]
                    static let keyNames = ["ID"]
                    static let navigationNames = ["Category", "Parts"]

                    private var idValue: Int32?
                    /// 0 until the service has made it.
                    var id: Int32 {
                        get { idValue ?? 0 }
                        set { idValue = newValue }
                    }
                    /// What it is called
                    ///
                    /// At most 40 characters.
                    var name: String
                    var weight: EdmDecimal?
                    var color: Color?
                    var size: Size?
                    var tags: [String]
                    private var changedValue: EdmDateTimeOffset?
                    /// The service makes the value.
                    ///
                    /// `EdmDateTimeOffset(secondsSinceEpoch: 0)` until the service has made it.
                    var changed: EdmDateTimeOffset {
                        get { changedValue ?? EdmDateTimeOffset(secondsSinceEpoch: 0) }
                        set { changedValue = newValue }
                    }
                    @ExpandedEntity var category: Category?
                    var parts: [Product]?
                    var origin: EntityOrigin<Product>?

                    init(
                        id: Int32? = nil, name: String, weight: EdmDecimal? = nil, color: Color? = nil, size: Size? = nil,
                        tags: [String] = [], changed: EdmDateTimeOffset? = nil, category: Category? = nil, parts: [Product]? = nil
                    ) {
                        self.idValue = id
                        self.name = name
                        self.weight = weight
                        self.color = color
                        self.size = size
                        self.tags = tags
                        self.changedValue = changed
                        self._category = ExpandedEntity(wrappedValue: category)
                        self.parts = parts
                    }

                    init(_ row: TypedRow) throws(ODataError) {
                        self.idValue = try row.optional(0)
                        self.name = try row.value(1)
                        self.weight = try row.optional(2)
                        self.color = try row.optional(3)
                        self.size = try row.optional(4)
                        self.tags = try row.members(5)
                        self.changedValue = try row.optional(6)
                        self._category = try row.one(0)
                        self.parts = try row.many(1)
                    }

                    func value(at index: Int) -> EdmValue? {
                        switch index {
                        case 0: idValue?.edm
                        case 1: name.edm
                        case 2: weight?.edm ?? .null
                        case 3: color?.edm ?? .null
                        case 4: size?.edm ?? .null
                        case 5: tags.edm
                        case 6: changedValue?.edm
                        default: nil
                        }
                    }

                    func related(at index: Int) -> RelatedEntities? {
                        switch index {
                        case 0: category.map { .one($0) }
                        case 1: parts.map { .many($0) }
                        default: nil
                        }
                    }

                    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

                    struct Fields: QueryFields {
                        let path: FieldPath
                        var id: QueryOperand<Int32> { path.property("ID") }
                        var name: QueryOperand<String> { path.property("Name") }
                        var weight: QueryOperand<EdmDecimal> { path.property("Weight") }
                        var color: QueryOperand<Color> { path.property("Color") }
                        var size: ComplexOperand<Size> { path.complex("Size") }
                        var tags: CollectionOperand<String> { path.collection("Tags") }
                        var changed: QueryOperand<EdmDateTimeOffset> { path.property("Changed") }
                        var picture: StreamField { path.stream("Picture") }
                        var category: ToOne<Category> { path.toOne("Category") }
                        var parts: ToMany<Product> { path.toMany("Parts") }
                    }
                }

                extension EntityCollection where Element == Product {
                    /// Lowers the price.
                    ///
                    /// `Shop.Discount`
                    ///
                    /// - Returns: Nil, too, where the store sends changes later.
                    @discardableResult
                    func discount(_ product: Product, percent: Int32) async throws -> Double? {
                        try await action("Shop.Discount", of: product, ["percent": percent.edm]).value()
                    }
                }

                """#)
    }
}
