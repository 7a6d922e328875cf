import ODataModel
import ODataQuery
import ODataStores

/// As `odata generate` writes it.
struct Product: TypedEntity {
    static let typeName = QualifiedName("Shop.Product")
    static let propertyNames = ["ID", "Name", "Price", "Color", "CategoryID", "Tags", "Size"]
    static let keyNames = ["ID"]
    static let relationNames = ["Category", "Items"]

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
    @Expanded var category: Category?
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
        self._category = Expanded(wrappedValue: category)
        self.items = items
    }

    init(_ row: TypedRow) throws(ODataError) {
        idValue = try row.optional(0)
        name = try row.value(1)
        price = try row.optional(2)
        color = try row.optional(3)
        categoryID = try row.optional(4)
        tags = try row.value(5)
        size = try row.optional(6)
        _category = try row.one(0)
        items = try row.many(1)
    }

    func value(at index: Int) -> Value? {
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
        init(path: FieldPath) { self.path = path }
        var id: Operand<Int32> { path.property("ID") }
        var name: Operand<String> { path.property("Name") }
        var price: Operand<EdmDecimal> { path.property("Price") }
        var color: Operand<Color> { path.property("Color") }
        var categoryID: Operand<Int32> { path.property("CategoryID") }
        var tags: CollectionOperand<String> { path.collection("Tags") }
        var size: ComplexOperand<Size> { path.complex("Size") }
        var category: ToOne<Category> { path.toOne("Category") }
        var items: ToMany<Item> { path.toMany("Items") }
    }
}

/// As `odata generate` writes it: a key of two properties.
struct Item: TypedEntity {
    static let typeName = QualifiedName("Shop.Item")
    static let propertyNames = ["ProductID", "Line", "Quantity"]
    static let keyNames = ["ProductID", "Line"]
    static let relationNames = ["Product"]

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
    @Expanded var product: Product?
    var origin: EntityOrigin<Item>?

    init(productID: Int32? = nil, line: Int32? = nil, quantity: Int32, product: Product? = nil) {
        self.productIDValue = productID
        self.lineValue = line
        self.quantity = quantity
        self._product = Expanded(wrappedValue: product)
    }

    init(_ row: TypedRow) throws(ODataError) {
        productIDValue = try row.optional(0)
        lineValue = try row.optional(1)
        quantity = try row.value(2)
        _product = try row.one(0)
    }

    func value(at index: Int) -> Value? {
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
        init(path: FieldPath) { self.path = path }
        var productID: Operand<Int32> { path.property("ProductID") }
        var line: Operand<Int32> { path.property("Line") }
        var quantity: Operand<Int32> { path.property("Quantity") }
        var product: ToOne<Product> { path.toOne("Product") }
    }
}

/// As `odata generate` writes it.
struct Category: TypedEntity {
    static let typeName = QualifiedName("Shop.Category")
    static let propertyNames = ["ID", "Name"]
    static let keyNames = ["ID"]
    static let relationNames = ["Products"]

    private var idValue: Int32?
    /// 0 until the service has made it.
    var id: Int32 {
        get { idValue ?? 0 }
        set { idValue = newValue }
    }
    var name: String?
    var products: [Product]?
    var origin: EntityOrigin<Category>?

    init(id: Int32? = nil, name: String? = nil, products: [Product]? = nil) {
        self.idValue = id
        self.name = name
        self.products = products
    }

    init(_ row: TypedRow) throws(ODataError) {
        idValue = try row.optional(0)
        name = try row.optional(1)
        products = try row.many(0)
    }

    func value(at index: Int) -> Value? {
        switch index {
        case 0: idValue?.edm
        case 1: name?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: products.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        init(path: FieldPath) { self.path = path }
        var id: Operand<Int32> { path.property("ID") }
        var name: Operand<String> { path.property("Name") }
        var products: ToMany<Product> { path.toMany("Products") }
    }
}

/// As `odata generate` writes it: a complex type.
struct Size: ComplexPropertyValue, QueryElement {
    static let typeName = QualifiedName("Shop.Size")

    var width: Double
    var unit: String?

    init(width: Double, unit: String? = nil) {
        self.width = width
        self.unit = unit
    }

    init?(complex: ComplexValue) {
        guard let width = complex["Width"].flatMap(Double.init(edm:)) else { return nil }
        self.width = width
        unit = complex["Unit"].flatMap(String.init(edm:))
    }

    var complex: ComplexValue {
        ComplexValue([
            .init(name: "Width", value: width.edm),
            .init(name: "Unit", value: unit?.edm ?? .null),
        ])
    }

    struct Fields: QueryFields {
        let path: FieldPath
        init(path: FieldPath) { self.path = path }
        var width: Operand<Double> { path.property("Width") }
        var unit: Operand<String> { path.property("Unit") }
    }
}

/// As `odata generate` writes it: an enumeration type.
struct Color: EnumerationValue {
    static let typeName = QualifiedName("Shop.Color")
    static let red = Color(rawValue: "Red")
    static let blue = Color(rawValue: "Blue")

    let rawValue: String
}
