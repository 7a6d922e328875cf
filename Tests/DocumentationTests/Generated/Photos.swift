// Written by `odata generate`: changes are lost when it runs again.

import OData

/// `field_service.Photos`
struct Photos: TypedEntity {
    static let typeName = EdmQualifiedName("field_service.Photos")
    static let propertyNames = ["PhotoID", "InspectionID", "Caption", "TakenAt"]
    static let keyNames = ["PhotoID"]
    static let navigationNames = ["Inspection"]

    private var photoIDValue: Int64?
    /// 0 until the service has made it.
    var photoID: Int64 {
        get { photoIDValue ?? 0 }
        set { photoIDValue = newValue }
    }
    var inspectionID: Int64?
    var caption: String?
    var takenAt: EdmDateTimeOffset?
    @ExpandedEntity var inspection: Inspections?
    var origin: EntityOrigin<Photos>?

    init(
        photoID: Int64? = nil, inspectionID: Int64? = nil, caption: String? = nil, takenAt: EdmDateTimeOffset? = nil,
        inspection: Inspections? = nil
    ) {
        self.photoIDValue = photoID
        self.inspectionID = inspectionID
        self.caption = caption
        self.takenAt = takenAt
        self._inspection = ExpandedEntity(wrappedValue: inspection)
    }

    init(_ row: TypedRow) throws(ODataError) {
        self.photoIDValue = try row.optional(0)
        self.inspectionID = try row.optional(1)
        self.caption = try row.optional(2)
        self.takenAt = try row.optional(3)
        self._inspection = try row.one(0)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: photoIDValue?.edm
        case 1: inspectionID?.edm ?? .null
        case 2: caption?.edm ?? .null
        case 3: takenAt?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: inspection.map { .one($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int64) -> EntityKey { EntityKey("PhotoID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var photoID: QueryOperand<Int64> { path.property("PhotoID") }
        var inspectionID: QueryOperand<Int64> { path.property("InspectionID") }
        var caption: QueryOperand<String> { path.property("Caption") }
        var takenAt: QueryOperand<EdmDateTimeOffset> { path.property("TakenAt") }
        var inspection: ToOne<Inspections> { path.toOne("Inspection") }
    }
}
