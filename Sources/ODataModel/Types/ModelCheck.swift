/// Looks for what a compiled model can live with, but what is wrong nevertheless.
struct ModelCheck {
    private let model: EdmModel
    private var findings: [EdmModelError] = []

    static func findings(in model: EdmModel) -> [EdmModelError] {
        var check = ModelCheck(model: model)
        for schema in model.schemas {
            for type in schema.types { check.check(type) }
            if let container = schema.container, schema.types.contains(where: { $0.name.name == container }) {
                check.note(container, "The entity container \(container) has the name of a type.")
            }
            for set in schema.entitySets { check.check(set) }
            for operationImport in schema.operationImports { check.check(operationImport) }
        }
        return check.findings
    }

    private init(model: EdmModel) {
        self.model = model
    }

    private mutating func note(_ name: String, _ message: String) {
        findings.append(EdmModelError(name: name, message: message))
    }

    private mutating func note(_ navigation: EdmNavigationProperty, of type: EdmStructuredType, _ message: String) {
        note("\(type.name)/\(navigation.name)", message)
    }

    private mutating func check(_ declaration: EdmStructuredTypeDeclaration) {
        guard let type = model.structuredType(named: declaration.name) else { return }
        for navigation in declaration.navigationProperties { check(navigation, of: type) }
        for path in declaration.key where !isProperty(path, of: type) {
            note("\(type.name)", "\(type.name) has no property \(path), which is in its key.")
        }
    }

    /// `Info/ID`; what is in a type that is not known passes.
    private func isProperty(_ path: String, of type: EdmStructuredType) -> Bool {
        if type.index(of: path) != nil { return true }
        guard hasKnownBases(type) else { return true }
        var type = type
        var segments = path.split(separator: "/").map(String.init)[...]
        while let name = segments.popFirst() {
            if let navigation = type.navigationProperty(named: name), let target = model.target(of: navigation) {
                type = target
                continue
            }
            guard let property = type.property(named: name) else { return false }
            guard case .complex(let next) = property.type, let next = model.structuredType(named: next) else {
                return true
            }
            type = next
        }
        return true
    }

    private func hasKnownBases(_ type: EdmStructuredType) -> Bool {
        type.lineage.allSatisfy { name in
            guard let base = model.structuredType(named: name)?.declaration.baseType else { return true }
            return model.structuredType(named: base) != nil
        }
    }

    private mutating func check(_ navigation: EdmNavigationProperty, of type: EdmStructuredType) {
        guard let target = model.target(of: navigation), target.kind == .entity else {
            guard navigation.target.namespace != "Edm" else { return }
            return note(
                navigation, of: type, "\(navigation.name) leads to \(navigation.target), which is not declared.")
        }
        for constraint in navigation.constraints {
            if !isProperty(constraint.property, of: type) {
                note(
                    navigation, of: type,
                    "\(type.name) has no property \(constraint.property), which \(navigation.name) rests on.")
            }
            if !isProperty(constraint.referencedProperty, of: target) {
                note(
                    navigation, of: type,
                    "\(target.name) has no property \(constraint.referencedProperty), which \(navigation.name) refers to."
                )
            }
        }
        guard let partner = navigation.partner, target.navigationProperty(named: partner) == nil,
            hasKnownBases(target)
        else { return }
        let last = partner.split(separator: "/").last.map(String.init) ?? partner
        let heirs = partner.contains("/") ? model.derivedTypes(of: target) : []
        let isKnown =
            ([target] + heirs).contains { $0.navigationProperty(named: last) != nil } || partner.contains("/")
        if !isKnown {
            note(navigation, of: type, "\(target.name) has no \(partner), the partner of \(navigation.name).")
        }
    }

    private mutating func check(_ set: EdmEntitySetDeclaration) {
        guard let known = model.entitySet(named: set.name), known.declaration == set else { return }
        if set.kind == .entitySet, known.type.key.isEmpty, hasKnownBases(known.type) {
            note(set.name, "\(set.type), the type of \(set.name), has no key.")
        }
        for (path, target) in set.bindings.sorted(by: { $0.key < $1.key }) {
            if !leads(path, from: known.type) {
                note(set.name, "\(set.name) binds \(path), which is not a navigation property of \(set.type).")
            }
            // Targets with a slash are in other sets or containers.
            if !target.contains("/"), model.entitySet(named: target) == nil {
                note(set.name, "\(set.name) binds \(path) to \(target), which is not declared.")
            }
        }
    }

    /// Whether the path of a binding exists. Casts lead on; what comes after a type that is not known passes.
    private func leads(_ path: String, from type: EdmStructuredType) -> Bool {
        var type = type
        var segments = path.split(separator: "/").map(String.init)[...]
        while let name = segments.popFirst() {
            if name.contains(".") {
                guard let cast = model.structuredType(named: EdmQualifiedName(name)) else { return true }
                type = cast
            } else if let navigation = type.navigationProperty(named: name) {
                guard let target = model.target(of: navigation) else { return true }
                type = target
            } else if case .complex(let next) = type.property(named: name)?.type.element {
                guard let next = model.structuredType(named: next) else { return true }
                type = next
            } else {
                return !hasKnownBases(type) || type.declaration.navigationProperties.contains { $0.name == name }
                    || type.isOpen
            }
        }
        return true
    }

    private mutating func check(_ operationImport: EdmOperationImport) {
        let overloads = model.operations(named: operationImport.operation)
        if overloads.isEmpty {
            note(
                operationImport.name,
                "\(operationImport.name) imports \(operationImport.operation), which is not declared.")
        }
        if let set = operationImport.entitySet, !set.contains("/"), model.entitySet(named: set) == nil {
            note(operationImport.name, "\(operationImport.name) returns entities of \(set), which is not declared.")
        }
    }
}
