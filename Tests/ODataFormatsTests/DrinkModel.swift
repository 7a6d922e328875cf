import ODataModel

/// A model with derived types, open types and derived complex types.
enum DrinkModel {
    static func name(_ name: String) -> EdmQualifiedName { EdmQualifiedName("Drinks.\(name)") }

    static func make() throws -> EdmModel {
        let key = EdmProperty(name: "ID", type: .int32, isNullable: false)
        func properties(_ names: [(String, EdmTypeReference)]) -> [EdmProperty] {
            names.map { EdmProperty(name: $0, type: $1) }
        }
        let types = [
            EdmStructuredTypeDeclaration(
                name: name("Drink"), key: ["ID"],
                properties: [key] + properties([("Name", .string), ("Home", .complex(name("Place")))]),
                navigationProperties: [
                    EdmNavigationProperty(name: "Shop", target: name("Shop"), isCollection: false),
                    EdmNavigationProperty(name: "Mixes", target: name("Drink"), isCollection: true),
                ]),
            EdmStructuredTypeDeclaration(
                name: name("Tea"), baseType: name("Drink"), isOpen: true,
                properties: properties([("Steeping", .primitive(.duration))])),
            EdmStructuredTypeDeclaration(
                name: name("GreenTea"), baseType: name("Tea"), properties: properties([("Garden", .string)])),
            EdmStructuredTypeDeclaration(
                name: name("Coffee"), baseType: name("Drink"), properties: properties([("Roast", .int64)]),
                navigationProperties: [
                    EdmNavigationProperty(name: "Roaster", target: name("Shop"), isCollection: false)
                ]),
            EdmStructuredTypeDeclaration(
                name: name("Shop"), isOpen: true, key: ["ID"],
                properties: [key] + properties([("Any", .primitive(.untyped))])),
            EdmStructuredTypeDeclaration(
                kind: .complex, name: name("Place"), properties: properties([("City", .string)])),
            EdmStructuredTypeDeclaration(
                kind: .complex, name: name("Hill"), baseType: name("Place"), isOpen: true,
                properties: properties([("Height", .decimal)])),
        ]
        let schema = EdmSchema(
            namespace: "Drinks", types: types,
            enumTypes: [EdmEnumType(name: name("Taste"), members: [.init(name: "Sour", value: 1)])],
            container: "Container",
            entitySets: [
                EdmEntitySetDeclaration(
                    name: "Drinks", type: name("Drink"), bindings: ["Shop": "Shops", "Mixes": "Drinks"]),
                EdmEntitySetDeclaration(name: "Shops", type: name("Shop")),
            ])
        return try EdmModel(schemas: [schema])
    }

    /// The shape of a set with all its types and dynamic properties, and with children.
    static func shape(_ name: String = "Drinks", expands: [String] = []) throws -> RowShape {
        let model = try make()
        guard let set = model.entitySet(named: name) else { throw EdmModelError(name: name, message: "absent") }
        return try shape(set.type, set: set, expands: expands, model: model)
    }

    private static func shape(
        _ type: EdmStructuredType, set: EdmEntitySet?, expands: [String], model: EdmModel
    ) throws -> RowShape {
        let types = [type] + model.derivedTypes(of: type)
        var properties: [EdmProperty] = []
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
            properties: properties + [EdmProperty(name: "", type: .primitive(.untyped))], hiddenFrom: properties.count,
            children: children, types: types, dynamicSlot: properties.count)
    }
}
