// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `Travel.Flight`
struct Flight: TypedEntity {
    static let typeName = EdmQualifiedName("Travel.Flight")
    static let propertyNames = ["ID", "Note", "FlightNumber"]
    static let keyNames = ["ID"]
    static let navigationNames = ["Airline"]

    private var idValue: Int32?
    /// 0 until the service has made it.
    var id: Int32 {
        get { idValue ?? 0 }
        set { idValue = newValue }
    }
    var note: String?
    var flightNumber: String
    @ExpandedEntity var airline: Airline?
    var origin: EntityOrigin<Flight>?

    init(id: Int32? = nil, note: String? = nil, flightNumber: String, airline: Airline? = nil) {
        self.idValue = id
        self.note = note
        self.flightNumber = flightNumber
        self._airline = ExpandedEntity(wrappedValue: airline)
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.idValue = try row.optional(0)
        self.note = try row.optional(1)
        self.flightNumber = try row.value(2)
        self._airline = try row.one(0)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: idValue?.edm
        case 1: note?.edm ?? .null
        case 2: flightNumber.edm
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: airline.map { .one($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
        var note: QueryOperand<String> { path.property("Note") }
        var flightNumber: QueryOperand<String> { path.property("FlightNumber") }
        var airline: ToOne<Airline> { path.toOne("Airline") }
    }
}
