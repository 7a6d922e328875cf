// Written by `odata generate`: changes are lost when it runs again.

import OData

struct ShopService: Sendable {
    let collections: EntityCollections

    init(_ store: any ODataStore) {
        collections = EntityCollections(store)
    }

    /// `Favourite`, one entity: `one()` reads it.
    var favourite: EntityCollection<Product> { collections.singleton(Product.self, named: "Favourite") }

    /// `Photos`
    var photos: EntityCollection<Photo> { collections.of(Photo.self, in: "Photos") }

    /// `Products`
    var products: EntityCollection<Product> { collections.of(Product.self, in: "Products") }

    /// `Items`
    var items: EntityCollection<Item> { collections.of(Item.self, in: "Items") }

    /// `Categories`
    var categories: EntityCollection<Category> { collections.of(Category.self, in: "Categories") }

    /// `Dearest`
    func dearest(count: Int32) -> EntityCollection<Product> {
        collections.function("Dearest", ["count": count.edm]).entities(of: Product.self)
    }
}
