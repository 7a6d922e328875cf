import ODataModel
import ODataQuery
import ODataStores

/// What the service says of itself in the metadata, as annotations of the entity container and of actions.
///
/// [OData-VocCap; OData-Protocol, section 13]
enum ServiceCapabilities {
    private static let namespace = "Org.OData.Capabilities.V1"

    /// `model` with the annotations that its container and its actions do not have yet.
    static func annotated(_ model: EdmModel, _ service: ODataService) -> EdmModel {
        var schemas = model.schemas
        guard let position = schemas.firstIndex(where: { $0.container != nil }) else { return model }
        let known = Set(schemas[position].containerAnnotations.map(\.term))
        var annotations = annotations(service.configuration)
        if service.store.recognizesRepeatedRequests, !service.configuration.isReadOnly {
            annotations.append(EdmAnnotation(term: EdmAnnotation.repeatability))
            for index in schemas.indices {
                schemas[index].operations = schemas[index].operations.map { exempted($0, service.store) }
            }
        }
        if service.uploadSpace != nil, hasStreams(schemas) {
            annotations.append(EdmAnnotation(term: EdmAnnotation.uploadMethod, value: .string("resumable")))
        }
        schemas[position].containerAnnotations += annotations.filter { !known.contains($0.term) }
        if !schemas.contains(where: { $0.annotation(SchemaVersion.term) != nil }) {
            schemas[position].annotations.append(
                EdmAnnotation(term: SchemaVersion.term, value: .string(SchemaVersion.made(of: model))))
        }
        return EdmModel.lenient(schemas: schemas, references: model.references).model
    }

    private static func hasStreams(_ schemas: [EdmSchema]) -> Bool {
        schemas.flatMap(\.types).contains { $0.hasStream || $0.properties.contains(where: \.isStream) }
    }

    /// What the container promises of repeated requests is not said of actions whose calls are not recorded.
    ///
    /// [Vocabulary Repeatability, term Supported]
    private static func exempted(_ operation: EdmOperationDeclaration, _ store: any ODataStore)
        -> EdmOperationDeclaration
    {
        guard operation.kind == .action, operation.annotation(EdmAnnotation.repeatability) == nil,
            !store.recognizesRepeatedCalls(of: operation)
        else { return operation }
        var operation = operation
        operation.annotations.append(EdmAnnotation(term: EdmAnnotation.repeatability, value: .bool(false)))
        return operation
    }

    private static func annotations(_ configuration: ODataService.Configuration) -> [EdmAnnotation] {
        [
            EdmAnnotation(term: "Org.OData.Core.V1.ODataVersions", value: .string("4.0 4.01")),
            annotation(
                "ConformanceLevel",
                .enumMember(EdmQualifiedName(namespace: namespace, name: "ConformanceLevelType"), ["Advanced"])),
            annotation("SupportedFormats", .collection(formats.map(EdmAnnotation.Value.string))),
            annotation(
                "SupportedMetadataFormats", .collection([.string("application/xml"), .string("application/json")])),
            annotation("AsynchronousRequestsSupported", .bool(configuration.allowsAsynchronousRequests)),
            annotation("BatchSupported", .bool(true)),
            annotation("BatchContinueOnErrorSupported", .bool(true)),
            annotation("BatchSupport", .record(batch)),
            annotation("CrossJoinSupported", .bool(true)),
            annotation("KeyAsSegmentSupported", .bool(true)),
            annotation("QuerySegmentSupported", .bool(true)),
            annotation("TopSupported", .bool(true)),
            annotation("SkipSupported", .bool(true)),
            annotation("ComputeSupported", .bool(true)),
            annotation("FilterFunctions", .collection(functions.map(EdmAnnotation.Value.string))),
            annotation("DeepInsertSupport", .record(["Supported": .bool(!configuration.isReadOnly)])),
            annotation("DeepUpdateSupport", .record(["Supported": .bool(!configuration.isReadOnly)])),
        ]
    }

    private static func annotation(_ name: String, _ value: EdmAnnotation.Value) -> EdmAnnotation {
        EdmAnnotation(term: "\(namespace).\(name)", value: value)
    }

    private static let formats = [
        "application/json;odata.metadata=minimal;IEEE754Compatible=false;odata.streaming=true",
        "application/json;odata.metadata=full", "application/json;odata.metadata=none",
    ]

    private static let batch: EdmAnnotation.Record = [
        "Supported": .bool(true), "ContinueOnErrorSupported": .bool(true),
        "ReferencesInRequestBodiesSupported": .bool(true), "ReferencesAcrossChangeSetsSupported": .bool(true),
        "EtagReferencesSupported": .bool(true), "RequestDependencyConditionsSupported": .bool(false),
        "SupportedFormats": .collection([.string("multipart/mixed"), .string("application/json")]),
    ]

    private static let functions = CanonicalFunction.version4.map(\.rawValue) + ["cast", "isof"]
}
