import ODataModel

extension CSDL {
    /// Writes `model` as a metadata document of V2: navigation properties become associations.
    ///
    /// What V2 does not have is left out: singletons, operations that are not imported, collections of values and
    /// named streams. Types that V2 does not have become those that its payloads are written with: `Edm.DateTime` for
    /// `Edm.Date`, `Edm.String` for enumerations.
    /// [MS-CSDL; OData V2: Overview]
    public static func v2(_ model: EdmModel) -> [UInt8] {
        var writer = V2MetadataWriter(model: model.inContainer)
        writer.write()
        return writer.text.bytes
    }
}

/// Writes a model as CSDL of V2.
struct V2MetadataWriter {
    let model: EdmModel
    var text = XMLText()
    private let associations: [V2Association]

    init(model: EdmModel) {
        self.model = model
        associations = V2Association.all(of: model)
    }

    private static let metadata = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"

    mutating func write() {
        text.raw(XMLText.declaration)
        let (model, associations) = (model, associations)
        text.element(
            "edmx:Edmx", ["Version": "1.0", "xmlns:edmx": "http://schemas.microsoft.com/ado/2007/06/edmx"]
        ) { text in
            text.element("edmx:DataServices", ["xmlns:m": Self.metadata, "m:DataServiceVersion": "2.0"]) { text in
                for schema in model.schemas {
                    text.element(
                        "Schema",
                        ["xmlns": "http://schemas.microsoft.com/ado/2008/09/edm", "Namespace": schema.namespace]
                    ) { Self.write(schema, model: model, associations: associations, to: &$0) }
                }
            }
        }
    }

    private static func write(
        _ schema: EdmSchema, model: EdmModel, associations: [V2Association], to text: inout XMLText
    ) {
        let own = associations.filter { $0.namespace == schema.namespace }
        for declaration in schema.types {
            guard let type = model.structuredType(named: declaration.name) else { continue }
            write(type, associations: associations, to: &text)
        }
        for association in own { association.write(to: &text) }
        guard let container = schema.container else { return }
        text.element("EntityContainer", ["Name": container, "m:IsDefaultEntityContainer": "true"]) { text in
            let sets = model.entitySets.filter { $0.kind == .entitySet }
            for set in sets { text.element("EntitySet", ["Name": set.name, "EntityType": "\(set.type.name)"]) }
            for association in associations { association.writeSets(of: model, to: &text) }
            for item in schema.operationImports { write(item, model: model, to: &text) }
        }
    }

    private static func write(
        _ type: EdmStructuredType, associations: [V2Association], to text: inout XMLText
    ) {
        let declaration = type.declaration
        text.element(
            type.kind == .entity ? "EntityType" : "ComplexType",
            [
                "Name": type.name.name, "BaseType": declaration.baseType?.description,
                "Abstract": declaration.isAbstract ? "true" : nil,
                "m:HasStream": declaration.hasStream ? "true" : nil,
            ]
        ) { text in
            if !declaration.key.isEmpty {
                text.element("Key") { text in
                    for name in declaration.key { text.element("PropertyRef", ["Name": name]) }
                }
            }
            for property in declaration.properties where !property.isStream && !property.type.isCollection {
                write(property, to: &text)
            }
            for navigation in declaration.navigationProperties {
                guard let use = V2Association.use(of: navigation, type: type, in: associations) else { continue }
                text.element(
                    "NavigationProperty",
                    [
                        "Name": navigation.name, "Relationship": "\(use.association.namespace).\(use.association.name)",
                        "FromRole": use.from, "ToRole": use.to,
                    ])
            }
        }
    }

    private static func write(_ property: EdmProperty, to text: inout XMLText) {
        let scale: String? =
            switch property.scale {
            case .fixed(let digits): "\(digits)"
            case .variable, .floating, nil: nil
            }
        // Text has none.
        let precision = property.type == .primitive(.duration) ? nil : property.precision
        text.element(
            "Property",
            [
                "Name": property.name,
                "Type": LegacyTypeName.name(of: property.type, annotations: property.annotations),
                "Nullable": property.isNullable ? nil : "false", "MaxLength": property.maxLength.map { "\($0)" },
                "Precision": precision.map { "\($0)" }, "Scale": scale,
            ])
    }

    /// `<FunctionImport Name="Top" ReturnType="Collection(M.Product)" EntitySet="Products" m:HttpMethod="GET">`
    private static func write(_ item: EdmOperationImport, model: EdmModel, to text: inout XMLText) {
        guard let operation = model.operations(named: item.operation).first(where: { !$0.isBound }) else { return }
        text.element(
            "FunctionImport",
            [
                "Name": item.name, "ReturnType": operation.result.map { LegacyTypeName.name(of: $0.type) },
                "EntitySet": item.entitySet,
                "m:HttpMethod": item.httpMethod ?? (operation.kind == .action ? "POST" : "GET"),
            ]
        ) { text in
            for parameter in operation.parameters {
                text.element(
                    "Parameter",
                    [
                        "Name": parameter.name,
                        "Type": LegacyTypeName.name(of: parameter.type, annotations: parameter.annotations),
                        "Mode": "In",
                        "Nullable": parameter.isNullable ? "true" : "false",
                    ])
            }
        }
    }
}
