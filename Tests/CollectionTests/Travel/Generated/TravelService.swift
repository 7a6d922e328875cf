// Written by `odata generate`: changes are lost when it runs again.

import OData

struct TravelService: Sendable {
    let collections: EntityCollections

    init(_ store: any ODataStore) {
        collections = EntityCollections(store)
    }

    /// `People`
    var people: EntityCollection<Person> { collections.of(Person.self, in: "People") }

    /// `PlanItems`
    var planItems: EntityCollection<PlanItem> { collections.of(PlanItem.self, in: "PlanItems") }

    /// `Airlines`
    var airlines: EntityCollection<Airline> { collections.of(Airline.self, in: "Airlines") }

    /// `Countries`
    var countries: EntityCollection<Country> { collections.of(Country.self, in: "Countries") }
}
