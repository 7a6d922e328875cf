// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `field_service.WorkOrders`
struct WorkOrders: TypedEntity {
    static let typeName = EdmQualifiedName("field_service.WorkOrders")
    static let propertyNames = ["WorkOrderID", "EquipmentID", "Title", "Priority", "State", "DueAt", "EstimatedHours"]
    static let keyNames = ["WorkOrderID"]
    static let navigationNames = ["Inspections"]

    private var workOrderIDValue: Int64?
    /// 0 until the service has made it.
    var workOrderID: Int64 {
        get { workOrderIDValue ?? 0 }
        set { workOrderIDValue = newValue }
    }
    var equipmentID: EdmGuid
    var title: String
    private var priorityValue: Int64?
    /// By default 3.
    ///
    /// 3 until the service has made it.
    var priority: Int64 {
        get { priorityValue ?? 3 }
        set { priorityValue = newValue }
    }
    private var stateValue: String?
    /// By default open.
    ///
    /// "open" until the service has made it.
    var state: String {
        get { stateValue ?? "open" }
        set { stateValue = newValue }
    }
    var dueAt: EdmDateTimeOffset?
    /// At most 6 digits, 2 of them after the point.
    var estimatedHours: EdmDecimal?
    var inspections: [Inspections]?
    var origin: EntityOrigin<WorkOrders>?

    init(
        workOrderID: Int64? = nil, equipmentID: EdmGuid, title: String, priority: Int64? = nil, state: String? = nil,
        dueAt: EdmDateTimeOffset? = nil, estimatedHours: EdmDecimal? = nil, inspections: [Inspections]? = nil
    ) {
        self.workOrderIDValue = workOrderID
        self.equipmentID = equipmentID
        self.title = title
        self.priorityValue = priority
        self.stateValue = state
        self.dueAt = dueAt
        self.estimatedHours = estimatedHours
        self.inspections = inspections
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.workOrderIDValue = try row.optional(0)
        self.equipmentID = try row.value(1)
        self.title = try row.value(2)
        self.priorityValue = try row.optional(3)
        self.stateValue = try row.optional(4)
        self.dueAt = try row.optional(5)
        self.estimatedHours = try row.optional(6)
        self.inspections = try row.many(0)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: workOrderIDValue?.edm
        case 1: equipmentID.edm
        case 2: title.edm
        case 3: priorityValue?.edm
        case 4: stateValue?.edm
        case 5: dueAt?.edm ?? .null
        case 6: estimatedHours?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: inspections.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int64) -> EntityKey { EntityKey("WorkOrderID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var workOrderID: QueryOperand<Int64> { path.property("WorkOrderID") }
        var equipmentID: QueryOperand<EdmGuid> { path.property("EquipmentID") }
        var title: QueryOperand<String> { path.property("Title") }
        var priority: QueryOperand<Int64> { path.property("Priority") }
        var state: QueryOperand<String> { path.property("State") }
        var dueAt: QueryOperand<EdmDateTimeOffset> { path.property("DueAt") }
        var estimatedHours: QueryOperand<EdmDecimal> { path.property("EstimatedHours") }
        var inspections: ToMany<Inspections> { path.toMany("Inspections") }
    }
}
