// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `service.Visits`
struct Visits: TypedEntity {
    static let typeName = EdmQualifiedName("service.Visits")
    static let propertyNames = ["ID", "Customer", "Rooms", "Amount", "Note", "Day", "IsDone"]
    static let keyNames = ["ID"]
    static let navigationNames: [String] = []

    private var idValue: Int64?
    /// 0 until the service has made it.
    var id: Int64 {
        get { idValue ?? 0 }
        set { idValue = newValue }
    }
    var customer: String
    var rooms: Int64
    var amount: Double?
    var note: String?
    var day: EdmDate?
    var isDone: Bool
    var origin: EntityOrigin<Visits>?

    init(
        id: Int64? = nil, customer: String, rooms: Int64, amount: Double? = nil, note: String? = nil,
        day: EdmDate? = nil, isDone: Bool
    ) {
        self.idValue = id
        self.customer = customer
        self.rooms = rooms
        self.amount = amount
        self.note = note
        self.day = day
        self.isDone = isDone
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.idValue = try row.optional(0)
        self.customer = try row.value(1)
        self.rooms = try row.value(2)
        self.amount = try row.optional(3)
        self.note = try row.optional(4)
        self.day = try row.optional(5)
        self.isDone = try row.value(6)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: idValue?.edm
        case 1: customer.edm
        case 2: rooms.edm
        case 3: amount?.edm ?? .null
        case 4: note?.edm ?? .null
        case 5: day?.edm ?? .null
        case 6: isDone.edm
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? { nil }

    static func entityKey(_ key: Int64) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int64> { path.property("ID") }
        var customer: QueryOperand<String> { path.property("Customer") }
        var rooms: QueryOperand<Int64> { path.property("Rooms") }
        var amount: QueryOperand<Double> { path.property("Amount") }
        var note: QueryOperand<String> { path.property("Note") }
        var day: QueryOperand<EdmDate> { path.property("Day") }
        var isDone: QueryOperand<Bool> { path.property("IsDone") }
    }
}
