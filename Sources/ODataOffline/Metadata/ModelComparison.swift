import ODataModel
import ODataSQLite

/// Finds the differences between two models, and where a store may use the changed elements.
struct ModelComparison {
    let old: EdmModel
    let new: EdmModel
    private(set) var changes: [ModelDifference.Change] = []

    init(old: OfflineModel, new: OfflineModel) {
        self.old = old.model
        self.new = new.model
        compareSets(old.schema, new.schema)
        for schema in old.model.schemas {
            for type in schema.types { compare(type.name) }
            for type in schema.enumTypes { compareEnum(type) }
        }
        for schema in new.model.schemas {
            for type in schema.types where old.model.structuredType(named: type.name) == nil {
                addDifference(.added, "\(type.name)")
            }
            for type in schema.enumTypes where old.model.enumType(named: type.name) == nil {
                addDifference(.added, "\(type.name)")
            }
        }
        compareOperations()
        if changes.isEmpty, old.model.schemas != new.model.schemas { addDifference(.changed, "annotations") }
    }

    private mutating func addDifference(
        _ kind: ModelDifference.Change.Kind, _ element: String, _ detail: String = "",
        at place: ModelDifference.Place? = nil
    ) {
        changes.append(.init(kind: kind, element: element, detail: detail, place: place))
    }

    private mutating func compareSets(_ before: LocalSchema, _ after: LocalSchema) {
        for set in old.entitySets {
            guard let other = new.entitySet(named: set.name) else {
                addDifference(.removed, set.name, at: .set(set.name))
                continue
            }
            if set.type.name != other.type.name || set.kind != other.kind {
                addDifference(.changed, set.name, "\(set.type.name) → \(other.type.name)", at: .set(set.name))
            } else if let here = before.tables[set.name], let there = after.tables[set.name], here.name != there.name {
                addDifference(.changed, set.name, "its name differs from another only in case", at: .set(set.name))
            }
            compareNavigation(of: set.name, before, after)
        }
        for set in new.entitySets where old.entitySet(named: set.name) == nil { addDifference(.added, set.name) }
    }

    private mutating func compareNavigation(of set: String, _ before: LocalSchema, _ after: LocalSchema) {
        for (name, storage) in before.navigation(of: set).sorted(by: { $0.key < $1.key }) {
            guard let other = after.navigation(of: set)[name], other != storage else { continue }
            addDifference(
                .changed, "\(set)/\(name)", "its constraints or its target", at: .links(set: set, navigation: name))
        }
    }

    private mutating func compare(_ name: EdmQualifiedName) {
        guard let type = old.structuredType(named: name) else { return }
        let isEntity = type.kind == .entity
        let whole: ModelDifference.Place = isEntity ? .entities(name) : .values(name)
        guard let other = new.structuredType(named: name), other.kind == type.kind else {
            return addDifference(.removed, "\(name)", at: whole)
        }
        if type.key != other.key {
            addDifference(.changed, "\(name)", "key \(type.key) → \(other.key)", at: whole)
        }
        if type.hasStream != other.hasStream {
            addDifference(.changed, "\(name)", "media entities: \(other.hasStream)", at: other.hasStream ? nil : whole)
        }
        compareProperties(type, other)
        for navigation in type.navigationProperties {
            if let kept = other.navigationProperty(named: navigation.name) {
                if (navigation.target, navigation.isCollection) != (kept.target, kept.isCollection) {
                    addDifference(
                        .changed, "\(name)/\(navigation.name)", "\(navigation.target) → \(kept.target)", at: whole)
                }
            } else {
                for set in old.entitySets where set.type.isKind(of: type) {
                    let links = ModelDifference.Place.links(set: set.name, navigation: navigation.name)
                    addDifference(.removed, "\(set.name)/\(navigation.name)", at: links)
                }
            }
        }
        for navigation in other.navigationProperties where type.navigationProperty(named: navigation.name) == nil {
            addDifference(.added, "\(name)/\(navigation.name)")
        }
    }

    private mutating func compareProperties(_ type: EdmStructuredType, _ other: EdmStructuredType) {
        for property in type.properties where !isInherited(property, by: type) {
            let place = ModelDifference.Place.property(type.name, property.name)
            let element = "\(type.name)/\(property.name)"
            guard let kept = other.property(named: property.name) else {
                addDifference(.removed, element, at: place)
                continue
            }
            if kept.type != property.type {
                addDifference(.changed, element, "\(property.type) → \(kept.type)", at: place)
            } else if kept.isNullable != property.isNullable || kept.facets != property.facets {
                // Existing values are not changed; waiting requests are checked against the new facets.
                addDifference(.changed, element, "facets")
            }
        }
        for property in other.properties where type.property(named: property.name) == nil {
            addDifference(.added, "\(type.name)/\(property.name)")
        }
    }

    /// The differences of a base type are reported there.
    private func isInherited(_ property: EdmProperty, by type: EdmStructuredType) -> Bool {
        guard let base = type.lineage.dropFirst().first else { return false }
        return old.structuredType(named: base)?.property(named: property.name) == property
            && new.structuredType(named: base) != nil
    }

    private mutating func compareEnum(_ type: EdmEnumType) {
        guard let other = new.enumType(named: type.name) else {
            return addDifference(.removed, "\(type.name)", at: .values(type.name))
        }
        let kept = Dictionary(other.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for member in type.members where kept[member.name] != member.value {
            let kind: ModelDifference.Change.Kind = kept[member.name] == nil ? .removed : .changed
            addDifference(kind, "\(type.name)/\(member.name)", at: .values(type.name))
        }
        let names = Set(type.members.map(\.name))
        for member in other.members where !names.contains(member.name) {
            addDifference(.added, "\(type.name)/\(member.name)")
        }
    }

    /// Operations in use are found when queries and waiting requests are checked.
    private mutating func compareOperations() {
        let before = Set(old.schemas.flatMap(\.operations))
        let after = Set(new.schemas.flatMap(\.operations))
        for operation in before.subtracting(after).sorted(by: { "\($0.name)" < "\($1.name)" }) {
            let isThere = !new.operations(named: operation.name).isEmpty
            addDifference(isThere ? .changed : .removed, "\(operation.name)")
        }
        for operation in after.subtracting(before).sorted(by: { "\($0.name)" < "\($1.name)" })
        where old.operations(named: operation.name).isEmpty {
            addDifference(.added, "\(operation.name)")
        }
    }
}
