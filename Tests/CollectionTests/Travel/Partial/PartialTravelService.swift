// Written by `odata generate`: changes are lost when it runs again.

import OData

struct PartialTravelService: Sendable {
    let collections: EntityCollections

    init(_ store: any ODataStore) {
        collections = EntityCollections(store)
    }

    /// `People`
    var people: EntityCollection<PartialPerson> { collections.of(PartialPerson.self, in: "People") }
}
