import OData

// Product, Category, Color and ShopService are written by the build plugin, from shop.edmx beside this file. Here the
// store is one of its own, with the same model; in an app an OnlineStore or an OfflineStore takes its place.
let model = try CSDL.document(PackageResources.shop_edmx).model
let store = try SQLiteStore(model: model)
let shop = ShopService(store)

try await shop.categories.create(Category(id: 1, name: "Drinks"))
try await shop.categories.create(Category(id: 2, name: "Food"))
for (name, price, color, category) in [("Chai", 18, .red, 1), ("Tofu", 23, .green, 2), ("Bread", 3, nil, 2)]
    as [(String, EdmDecimal, Color?, Int32)]
{
    try await shop.products.create(Product(name: name, price: price, color: color, categoryID: category))
}

// The compiler knows what can be asked: a property that there is not, or a price that is compared with a name, is an
// error where it stands.
let dear = shop.products.where { $0.price > 10 && $0.color != nil }.orderBy(\.name).expand(\.category)
print("GET", dear.url)
for product in try await dear.findAll() {
    print(product.name, product.price?.description ?? "-", product.category?.name ?? "-")
}

// An update sends the properties that have another value.
if var tofu = try await shop.products.first(where: { $0.name == "Tofu" }) {
    tofu.price = 25
    print("PATCH", tofu.changes.names)
    try await shop.products.update(tofu)
}

let food = shop.products.where { $0.category.name == "Food" }
print("GET", food.url)
print(try await food.count(), "products,", try await food.sum(\.price)?.description ?? "-")
try store.close()
