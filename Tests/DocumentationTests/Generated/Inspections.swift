// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `field_service.Inspections`
struct Inspections: TypedEntity {
    static let typeName = EdmQualifiedName("field_service.Inspections")
    static let propertyNames = ["InspectionID", "WorkOrderID", "InspectedAt", "Inspector", "Result", "Remarks"]
    static let keyNames = ["InspectionID"]
    static let navigationNames = ["WorkOrder", "Photos"]

    private var inspectionIDValue: Int64?
    /// 0 until the service has made it.
    var inspectionID: Int64 {
        get { inspectionIDValue ?? 0 }
        set { inspectionIDValue = newValue }
    }
    var workOrderID: Int64
    var inspectedAt: EdmDateTimeOffset?
    var inspector: String?
    var result: String?
    var remarks: String?
    @ExpandedEntity var workOrder: WorkOrders?
    var photos: [Photos]?
    var origin: EntityOrigin<Inspections>?

    init(
        inspectionID: Int64? = nil, workOrderID: Int64, inspectedAt: EdmDateTimeOffset? = nil, inspector: String? = nil,
        result: String? = nil, remarks: String? = nil, workOrder: WorkOrders? = nil, photos: [Photos]? = nil
    ) {
        self.inspectionIDValue = inspectionID
        self.workOrderID = workOrderID
        self.inspectedAt = inspectedAt
        self.inspector = inspector
        self.result = result
        self.remarks = remarks
        self._workOrder = ExpandedEntity(wrappedValue: workOrder)
        self.photos = photos
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.inspectionIDValue = try row.optional(0)
        self.workOrderID = try row.value(1)
        self.inspectedAt = try row.optional(2)
        self.inspector = try row.optional(3)
        self.result = try row.optional(4)
        self.remarks = try row.optional(5)
        self._workOrder = try row.one(0)
        self.photos = try row.many(1)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: inspectionIDValue?.edm
        case 1: workOrderID.edm
        case 2: inspectedAt?.edm ?? .null
        case 3: inspector?.edm ?? .null
        case 4: result?.edm ?? .null
        case 5: remarks?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: workOrder.map { .one($0) }
        case 1: photos.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int64) -> EntityKey { EntityKey("InspectionID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var inspectionID: QueryOperand<Int64> { path.property("InspectionID") }
        var workOrderID: QueryOperand<Int64> { path.property("WorkOrderID") }
        var inspectedAt: QueryOperand<EdmDateTimeOffset> { path.property("InspectedAt") }
        var inspector: QueryOperand<String> { path.property("Inspector") }
        var result: QueryOperand<String> { path.property("Result") }
        var remarks: QueryOperand<String> { path.property("Remarks") }
        var workOrder: ToOne<WorkOrders> { path.toOne("WorkOrder") }
        var photos: ToMany<Photos> { path.toMany("Photos") }
    }
}
