// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Shop.Product`
struct Product: TypedEntity {
    static let typeName = EdmQualifiedName("Shop.Product")
    static let propertyNames = ["ID", "Name", "Price", "Color", "CategoryID", "Tags", "Size"]
    static let keyNames = ["ID"]
    static let navigationNames = ["Category", "Items"]

    private var idValue: Int32?
    /// 0 until the service has made it.
    var id: Int32 {
        get { idValue ?? 0 }
        set { idValue = newValue }
    }
    var name: String
    var price: EdmDecimal?
    var color: Color?
    var categoryID: Int32?
    var tags: [String]
    var size: Size?
    @ExpandedEntity var category: Category?
    var items: [Item]?
    var origin: EntityOrigin<Product>?

    init(
        id: Int32? = nil, name: String, price: EdmDecimal? = nil, color: Color? = nil, categoryID: Int32? = nil,
        tags: [String] = [], size: Size? = nil, category: Category? = nil, items: [Item]? = nil
    ) {
        self.idValue = id
        self.name = name
        self.price = price
        self.color = color
        self.categoryID = categoryID
        self.tags = tags
        self.size = size
        self._category = ExpandedEntity(wrappedValue: category)
        self.items = items
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.idValue = try row.optional(0)
        self.name = try row.value(1)
        self.price = try row.optional(2)
        self.color = try row.optional(3)
        self.categoryID = try row.optional(4)
        self.tags = try row.members(5)
        self.size = try row.optional(6)
        self._category = try row.one(0)
        self.items = try row.many(1)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: idValue?.edm
        case 1: name.edm
        case 2: price?.edm ?? .null
        case 3: color?.edm ?? .null
        case 4: categoryID?.edm ?? .null
        case 5: tags.edm
        case 6: size?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: category.map { .one($0) }
        case 1: items.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
        var name: QueryOperand<String> { path.property("Name") }
        var price: QueryOperand<EdmDecimal> { path.property("Price") }
        var color: QueryOperand<Color> { path.property("Color") }
        var categoryID: QueryOperand<Int32> { path.property("CategoryID") }
        var tags: CollectionOperand<String> { path.collection("Tags") }
        var size: ComplexOperand<Size> { path.complex("Size") }
        var manual: StreamField { path.stream("Manual") }
        var category: ToOne<Category> { path.toOne("Category") }
        var items: ToMany<Item> { path.toMany("Items") }
    }
}

extension EntityCollection where Element == Product {
    /// `Shop.WithTax`
    func withTax(_ product: Product, rate: Double) async throws -> Double {
        try await function("Shop.WithTax", of: product, ["rate": rate.edm]).value()
    }

    /// `Shop.Reprice`
    ///
    /// - Returns: Nil, too, where the store sends changes later.
    @discardableResult
    func reprice(_ product: Product, price: EdmDecimal) async throws -> Product? {
        try await action("Shop.Reprice", of: product, ["price": price.edm]).entity()
    }
}
