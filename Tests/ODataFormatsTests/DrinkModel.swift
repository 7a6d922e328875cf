import ODataModel

/// A model with derived types, open types and derived complex types.
enum DrinkModel {
    static func name(_ name: String) -> QualifiedName { QualifiedName("Drinks.\(name)") }

    static func make() throws -> Model {
        let key = Property(name: "ID", type: .int32, isNullable: false)
        func properties(_ names: [(String, TypeReference)]) -> [Property] {
            names.map { Property(name: $0, type: $1) }
        }
        let types = [
            StructuredTypeDeclaration(
                name: name("Drink"), key: ["ID"],
                properties: [key] + properties([("Name", .string), ("Home", .complex(name("Place")))]),
                navigationProperties: [
                    NavigationProperty(name: "Shop", target: name("Shop"), isCollection: false),
                    NavigationProperty(name: "Mixes", target: name("Drink"), isCollection: true),
                ]),
            StructuredTypeDeclaration(
                name: name("Tea"), baseType: name("Drink"), isOpen: true,
                properties: properties([("Steeping", .primitive(.duration))])),
            StructuredTypeDeclaration(
                name: name("GreenTea"), baseType: name("Tea"), properties: properties([("Garden", .string)])),
            StructuredTypeDeclaration(
                name: name("Coffee"), baseType: name("Drink"), properties: properties([("Roast", .int64)]),
                navigationProperties: [
                    NavigationProperty(name: "Roaster", target: name("Shop"), isCollection: false)
                ]),
            StructuredTypeDeclaration(
                name: name("Shop"), isOpen: true, key: ["ID"],
                properties: [key] + properties([("Any", .primitive(.untyped))])),
            StructuredTypeDeclaration(kind: .complex, name: name("Place"), properties: properties([("City", .string)])),
            StructuredTypeDeclaration(
                kind: .complex, name: name("Hill"), baseType: name("Place"), isOpen: true,
                properties: properties([("Height", .decimal)])),
        ]
        let schema = Schema(
            namespace: "Drinks", types: types,
            enumTypes: [EnumType(name: name("Taste"), members: [.init(name: "Sour", value: 1)])],
            container: "Container",
            entitySets: [
                EntitySetDeclaration(
                    name: "Drinks", type: name("Drink"), bindings: ["Shop": "Shops", "Mixes": "Drinks"]),
                EntitySetDeclaration(name: "Shops", type: name("Shop")),
            ])
        return try Model(schemas: [schema])
    }

    /// The shape of a set with all its types and dynamic properties, and with children.
    static func shape(_ name: String = "Drinks", expands: [String] = []) throws -> RowShape {
        let model = try make()
        guard let set = model.entitySet(named: name) else { throw ModelError(name: name, message: "absent") }
        return try shape(set.type, set: set, expands: expands, model: model)
    }

    private static func shape(
        _ type: StructuredType, set: EntitySet?, expands: [String], model: Model
    ) throws -> RowShape {
        let types = [type] + model.derivedTypes(of: type)
        var properties: [Property] = []
        for property in types.flatMap(\.properties) where !properties.contains(property) { properties.append(property) }
        let children = try expands.compactMap { name in
            try type.navigationProperty(named: name).flatMap { navigation in
                try model.target(of: navigation).map { target in
                    RowShape.Child(
                        navigation: navigation,
                        shape: try shape(
                            target, set: model.targetSet(of: navigation, from: set), expands: [], model: model))
                }
            }
        }
        return RowShape(
            model: model, entitySet: set, type: type,
            properties: properties + [Property(name: "", type: .primitive(.untyped))], hiddenFrom: properties.count,
            children: children, types: types, dynamicSlot: properties.count)
    }
}
