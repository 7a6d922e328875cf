/// Names that have a meaning already in the scope of generated code.
///
/// What the library gets later is not added: generated types keep their names, and shadow it.
enum ReservedNames {
    /// Words that can be names in backticks only.
    static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Words that stay in capitals at the end of a name: `CUSTOMER_ID` → `customerID`.
    static let abbreviations: Set<String> = [
        "API", "BIC", "CPU", "CSV", "GPS", "GUID", "HTML", "HTTP", "HTTPS", "IBAN", "ID", "IP", "JSON", "PDF", "SKU",
        "UI", "UID", "URI", "URL", "UTC", "UUID", "VAT", "WBS", "XML", "ZIP",
    ]

    /// Members of `TypedEntity` and of its `Fields`.
    static let entityMembers: Set<String> = [
        "_", "additional", "argument", "as", "changes", "creation", "entityID", "entityKey", "entityTag", "expanded",
        "firstID", "hasChanges", "hash", "hashValue", "init", "isNull", "keyNames", "origin", "original", "path",
        "propertyNames", "related", "navigationNames", "navigationPath", "navigationStates", "revert", "self",
        "stableID",
        "typeName", "value",
    ]

    /// Members of `ComplexPropertyValue` and of its `Fields`.
    static let complexMembers: Set<String> = [
        "_", "additional", "complex", "edm", "hash", "hashValue", "init", "isNull", "path", "propertyNames",
        "navigationPath", "self", "typeName", "value",
    ]

    /// Members of `EnumerationValue` and `FlagsValue`, and of what these refine.
    static let enumerationMembers: Set<String> = [
        "_", "allCases", "edm", "hash", "hashValue", "init", "members", "none", "number", "rawValue", "self", "some",
        "type", "typeName", "unknownMembers",
    ]

    /// Members of a service.
    static let serviceMembers: Set<String> = ["_", "collections", "init", "self"]

    /// Members of `EntityCollection`, beside which bound operations stand.
    static let collectionMembers: Set<String> = [
        "_", "action", "add", "annotations", "average", "bound", "changed", "child", "children", "collections",
        "count", "countDistinct", "create", "delete", "deleteStream", "entity", "entityType", "expand", "find",
        "findAll", "first", "function", "grouped", "init", "isEmpty", "joined", "link", "location", "max", "min", "of",
        "one",
        "oneIfAny", "options", "orderBy", "page", "pages", "path", "query", "remove", "replace", "replaceStream",
        "save", "search", "select", "self", "skip", "store", "stream", "streamRequest", "sum", "target", "text", "top",
        "update", "updates", "url", "where",
    ]

    /// What the bodies of operations refer to.
    static let parameters: Set<String> = [
        "_", "action", "arguments", "collections", "function", "init", "result", "self",
    ]

    /// What the bodies of initializers and methods of entities have as parameters.
    static let locals: Set<String> = ["complex", "index", "newValue", "row"]

    /// Types of Swift, of Foundation that stand in most files, and what is nested in generated types or visible there.
    static let swiftTypes: Set<String> = [
        "AllCases", "Any", "AnyHashable", "AnyKeyPath", "AnyObject", "Array", "ArrayLiteralElement",
        "AsyncSequence", "AsyncStream", "Bool", "CaseIterable", "Character", "Codable", "Comparable", "Data",
        "Date", "Decimal", "Dictionary", "Double", "Element", "Equatable", "Error", "Fields", "Float", "Hashable",
        "Hasher", "ID", "Identifiable", "Int", "Int16", "Int32", "Int64", "Int8", "Key", "KeyPath", "KeyValuePairs",
        "Never", "OData", "OptionSet", "Optional", "Protocol", "Range", "RawRepresentable", "RawValue", "Result",
        "Self", "Sendable", "Sequence", "Set", "String", "Substring", "Swift", "Task", "Type", "UInt", "UInt16",
        "UInt32", "UInt64", "UInt8", "URL", "UUID", "Void",
    ]

    /// Public types that `import OData` brings.
    static let libraryTypes: Set<String> = [
        "ActionPlan", "ActionPlanner", "ActionResult", "AggregateItem", "ApplyExpression", "AttachmentBackEnd",
        "AttachmentDetails", "AttachmentDraft", "AttachmentLimits", "AttachmentManager", "AttachmentOwner",
        "AttachmentResult", "AttachmentSetBackEnd", "AttachmentStatus", "BasicAuthentication", "BearerAuthentication",
        "BinaryOperator", "BlockingByteReader", "BlockingByteSource", "BoundQuery", "BoundResource", "ByteChunks",
        "ByteContent", "ByteSource", "ByteStreamError", "CSDL", "CSDLDocument", "CSRFProtection", "CanonicalFunction",
        "ChangeConflict", "ChangeRequest", "ChangeResult", "CollectionChangeSet", "CollectionElement",
        "CollectionOperand", "CollectionPages", "CollectionSnapshot", "CollectionUpdates", "ComplexCollectionOperand",
        "ComplexOperand", "ComplexPropertyValue", "ComputeItem", "ComputedValue", "ConflictResolution",
        "ConflictResolver", "CookieJar", "CookieMiddleware", "CustomOption", "DataSource", "DefiningQuery",
        "DocumentDiagnostic", "DownloadProgress", "DownloadReport", "DynamicElement", "DynamicEntity", "DynamicFields",
        "EdmAnnotated", "EdmAnnotation", "EdmComplexValue", "EdmConvertible", "EdmDate", "EdmDateTimeOffset",
        "EdmDecimal", "EdmDuration", "EdmEntity", "EdmEntitySet", "EdmEntitySetDeclaration", "EdmEnumType",
        "EdmFacets", "EdmGeo", "EdmGuid", "EdmModel", "EdmModelError", "EdmNavigationProperty",
        "EdmOperationDeclaration", "EdmOperationImport", "EdmPrimitiveType", "EdmProperty", "EdmQualifiedName",
        "EdmReference", "EdmSchema", "EdmStructuredType", "EdmStructuredTypeDeclaration", "EdmTargetedAnnotations",
        "EdmTerm", "EdmTimeOfDay", "EdmTypeDefinition", "EdmTypeReference", "EdmValue", "ElementSource",
        "EncryptionError", "EncryptionKey", "EntityAssembler", "EntityAttachment", "EntityCollection",
        "EntityCollections", "EntityID", "EntityKey", "EntityOrigin", "EntityPayload", "EntityReader",
        "EntityReference",
        "EnumerationValue", "ErrorEntry", "EventCounts", "ExactlyOnce", "ExpandItem", "ExpandedCollection",
        "ExpandedEntity", "ExpandedStream", "ExpressionText", "FieldPath", "FileSource", "FlagsValue",
        "FormatError", "FractionalPropertyValue", "FunctionCall", "FunctionHandler", "GroupedCollection",
        "GroupingItem", "HTTPMiddleware", "TransportResponse", "HTTPTransport", "HandleSource", "HeaderField",
        "HeaderMiddleware", "HierarchyTest", "HierarchyTraversal", "IntegerPropertyValue", "JoinedSource", "KeyFile",
        "LambdaOperator", "LiveDifference", "LiveQuery", "LiveResult", "LiveStore", "LoggingMiddleware", "MediaColumn",
        "MediaContent", "MediaEntityBackEnd", "MediaUse", "ModelDifference", "NavigationField",
        "NavigationPropertyState", "NestItem", "NetworkPolicy", "NextTransport", "NumericPropertyValue", "ODataError",
        "ODataStore", "ODataVersion", "OfflineStore", "OnlineStore", "OpenChangeSet", "OpenTypedEntity",
        "OperationCall",
        "OperationHandlers", "OperationInvocation", "OperationResult", "OperationStore", "OrderItem", "PayloadKind",
        "PayloadLimits", "PostedAttachment", "ProjectedCollection", "PropertyPath", "PropertyValue", "QueryCondition",
        "QueryElement", "QueryError", "QueryFields", "QueryLimits", "QueryOperand", "QueryOptions", "QueryParser",
        "QueueEntry", "RankingTransformation", "ReadRequest", "ReadResult", "RebuildReport", "RecursiveHierarchy",
        "RecursiveRollup", "RedirectMiddleware", "RefreshMode", "RelatedEntities", "RelatedNodes", "RemoteAttachment",
        "RepeatabilityHeaders", "RequestOptions", "ResourcePath", "ResponseCache",
        "RetryMiddleware", "RetryTable", "RowBlock", "RowBlocks", "RowDiagnostic", "RowExpansion", "RowHeader",
        "RowMedia", "RowShape", "RowSlot", "RowSpan", "SQLiteStore", "SelectItem", "SequenceSource", "ServiceError",
        "SliceSource", "SourceDigest", "SourceIdentity", "SourceInputStream", "StoreCheck", "StoreEvent",
        "StoreStatus", "StoredEntity", "StreamEntry", "StreamEvent", "StreamEvents", "StreamField", "StreamHandle",
        "StreamPropertyBackEnd", "StreamRequest", "StreamResult", "StreamUploadMethod", "TableRules",
        "TextPropertyValue", "TextValueError", "ThumbnailImage", "ThumbnailMaker", "ToMany", "ToManyPath", "ToOne",
        "TransferSnapshot", "TransportContext", "TransportError", "TypedEntity", "TypedRow", "UnconfirmedRequest",
        "UndoPlan", "UndoScope", "UploadInterruption", "UploadJob", "UploadMethod",
        "UploadProgress", "UploadReport", "UploadSession", "UploadStep", "UploadingStore", "ValueUpdates",
        "WholePropertyValue",
    ]
}
