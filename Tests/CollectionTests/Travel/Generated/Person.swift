// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Person`
struct Person: OpenTypedEntity {
    static let typeName = EdmQualifiedName("Travel.Person")
    static let propertyNames = ["UserName", "Name", "Mood", "Permits", "Nicks", "Tags", "AddressInfo", "Home"]
    static let keyNames = ["UserName"]
    static let navigationNames: [String] = []

    private var userNameValue: String?
    /// "" until the service has made it.
    var userName: String {
        get { userNameValue ?? "" }
        set { userNameValue = newValue }
    }
    var name: String
    var mood: Mood?
    var permits: Permits?
    var nicks: [String?]
    var tags: [String]
    var addressInfo: [Location]
    var home: Location?
    var additional = EdmComplexValue()
    var origin: EntityOrigin<Person>?

    init(
        userName: String? = nil, name: String, mood: Mood? = nil, permits: Permits? = nil, nicks: [String?] = [],
        tags: [String] = [], addressInfo: [Location] = [], home: Location? = nil
    ) {
        self.userNameValue = userName
        self.name = name
        self.mood = mood
        self.permits = permits
        self.nicks = nicks
        self.tags = tags
        self.addressInfo = addressInfo
        self.home = home
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.userNameValue = try row.optional(0)
        self.name = try row.value(1)
        self.mood = try row.optional(2)
        self.permits = try row.optional(3)
        self.nicks = try row.members(4)
        self.tags = try row.members(5)
        self.addressInfo = try row.members(6)
        self.home = try row.optional(7)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: userNameValue?.edm
        case 1: name.edm
        case 2: mood?.edm ?? .null
        case 3: permits?.edm ?? .null
        case 4: nicks.edm
        case 5: tags.edm
        case 6: addressInfo.edm
        case 7: home?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? { nil }

    static func entityKey(_ key: String) -> EntityKey { EntityKey("UserName", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var userName: QueryOperand<String> { path.property("UserName") }
        var name: QueryOperand<String> { path.property("Name") }
        var mood: QueryOperand<Mood> { path.property("Mood") }
        var permits: QueryOperand<Permits> { path.property("Permits") }
        var nicks: CollectionOperand<String> { path.collection("Nicks") }
        var tags: CollectionOperand<String> { path.collection("Tags") }
        var addressInfo: ComplexCollectionOperand<Location> { path.complexCollection("AddressInfo") }
        var home: ComplexOperand<Location> { path.complex("Home") }
    }
}
