// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Person`
struct PartialPerson: OpenTypedEntity {
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
    var name: String?
    var mood: PartialMood?
    var permits: PartialPermits?
    var nicks: [String?]?
    var tags: [String]?
    var addressInfo: [PartialLocation]?
    var home: PartialLocation?
    var additional = EdmComplexValue()
    var origin: EntityOrigin<PartialPerson>?

    init(
        userName: String? = nil, name: String? = nil, mood: PartialMood? = nil, permits: PartialPermits? = nil,
        nicks: [String?]? = nil, tags: [String]? = nil, addressInfo: [PartialLocation]? = nil,
        home: PartialLocation? = nil
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
        self.name = try row.optional(1)
        self.mood = try row.optional(2)
        self.permits = try row.optional(3)
        self.nicks = try row.optional(4)
        self.tags = try row.optional(5)
        self.addressInfo = try row.optional(6)
        self.home = try row.optional(7)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: userNameValue?.edm
        case 1: name?.edm
        case 2: mood?.edm ?? .null
        case 3: permits?.edm ?? .null
        case 4: nicks?.edm
        case 5: tags?.edm
        case 6: addressInfo?.edm
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
        var mood: QueryOperand<PartialMood> { path.property("Mood") }
        var permits: QueryOperand<PartialPermits> { path.property("Permits") }
        var nicks: CollectionOperand<String> { path.collection("Nicks") }
        var tags: CollectionOperand<String> { path.collection("Tags") }
        var addressInfo: ComplexCollectionOperand<PartialLocation> { path.complexCollection("AddressInfo") }
        var home: ComplexOperand<PartialLocation> { path.complex("Home") }
    }
}
