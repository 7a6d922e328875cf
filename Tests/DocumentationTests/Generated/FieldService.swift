// Written by `odata generate`: changes are lost when it runs again.

import OData

struct FieldService: Sendable {
    let collections: EntityCollections

    init(_ store: any ODataStore) {
        collections = EntityCollections(store)
    }

    /// `BusinessPartners`
    var businessPartners: EntityCollection<BusinessPartners> {
        collections.of(BusinessPartners.self, in: "BusinessPartners")
    }

    /// `Products`
    var products: EntityCollection<Products> { collections.of(Products.self, in: "Products") }

    /// `SalesOrders`
    var salesOrders: EntityCollection<SalesOrders> { collections.of(SalesOrders.self, in: "SalesOrders") }

    /// `SalesOrderItems`
    var salesOrderItems: EntityCollection<SalesOrderItems> {
        collections.of(SalesOrderItems.self, in: "SalesOrderItems")
    }

    /// `WorkOrders`
    var workOrders: EntityCollection<WorkOrders> { collections.of(WorkOrders.self, in: "WorkOrders") }

    /// `Inspections`
    var inspections: EntityCollection<Inspections> { collections.of(Inspections.self, in: "Inspections") }

    /// `Photos`
    var photos: EntityCollection<Photos> { collections.of(Photos.self, in: "Photos") }
}
