import ODataModel
import ODataQuery

/// What a change does to the entities of a store: steps in the order in which they are carried out. All values are
/// checked.
package struct ChangePlan<Row: ChangeableRow>: Sendable {
    /// An entity that a step is about.
    package enum Target: Sendable {
        case row(Row)
        /// The entity that the step at this position inserts.
        case inserted(Int)
        /// An entity that the store does not hold, and that its service may have.
        case absent(ResourcePath)

        package var row: Row? { if case .row(let row) = self { row } else { nil } }
    }

    package enum Step: Sendable {
        case insert(Insertion)
        case update(Update)
        case delete(Row)
        /// A navigation property leads to an entity, or to one more.
        case link(Link)
        /// A navigation property no longer leads to an entity.
        case unlink(Link)
        case replaceStream(Row, property: String?)
        case deleteStream(Row, property: String)
    }

    /// `"Category@odata.bind":"Categories(1)"`
    package struct Reference: Sendable {
        package var navigation: ChangeableNavigation
        /// Nil: the navigation property leads to no entity.
        package var target: Target?
        /// The path by which the request names the target; nil for one that it inserts or finds in another way.
        package var path: ResourcePath?

        package init(navigation: ChangeableNavigation, target: Target? = nil, path: ResourcePath? = nil) {
            self.navigation = navigation
            self.target = target
            self.path = path
        }
    }

    package struct Insertion: Sendable {
        package var set: EdmEntitySet
        package var type: EdmStructuredType
        package var values: EdmComplexValue
        /// Navigation properties with ``ChangeableNavigation/Storage/ownKey`` or ``ChangeableNavigation/Storage/links``.
        package var references: [Reference] = []
        /// `Orders(1)/Items`: the entity becomes a member of a navigation property of another one.
        package var parent: (source: Target, navigation: ChangeableNavigation)?
        /// Whether the entity is made of a media stream.
        package var isMedia = false
    }

    package struct Update: Sendable {
        package var target: Target
        package var set: EdmEntitySet
        package var type: EdmStructuredType
        /// The properties that change, as they are afterwards.
        package var values = EdmComplexValue()
        /// The same as a PATCH names them: of complex values only the members that change.
        package var given = EdmComplexValue()
        package var references: [Reference] = []
        /// PUT: other properties get their defaults, but for those that clients cannot set.
        package var replaces = false

        /// Whether nothing changes.
        package var isEmpty: Bool { values.isEmpty && references.isEmpty && !replaces }
    }

    package struct Link: Sendable {
        package var source: Target
        package var navigation: ChangeableNavigation
        /// Nil: the one that a single-valued navigation property leads to.
        package var target: Target?
        /// Whether a `$ref` request sets or removes it.
        package var isRequested = false
    }

    package var steps: [Step] = []
    /// The entity that the result of the change is about; nil for one that is deleted.
    package var subject: Target?
    package var outcome = ChangeResult.Outcome.updated

    package var hasInsertion: Bool { steps.contains { if case .insert = $0 { true } else { false } } }
}

extension ChangePlan.Update {
    /// The properties that a replacement resets: not the key, nor those that clients cannot set or that references of
    /// this update hold.
    package var resets: [EdmProperty] {
        guard replaces else { return [] }
        let held = Set(references.flatMap { $0.navigation.references.map(\.property) })
        return type.properties.filter { property in
            values[property.name] == nil && !held.contains(property.name) && !type.key.contains(property.name)
                && !property.isStream && property.isChangeable
        }
    }
}

extension EdmProperty {
    /// Whether clients can change the value of an entity that exists.
    package var isChangeable: Bool { !isTagged(EdmAnnotation.computed) && !isTagged(EdmAnnotation.immutable) }
}
