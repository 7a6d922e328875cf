import ODataQuery

/// Entities of derived types in conditions.
///
/// [OData-URL, sections 5.1.1.15 and 5.1.1.10.2]
extension QueryFields {
    /// The properties as those of a derived type: `$0.as(Dog.self).breed == "Poodle"` is `Zoo.Dog/Breed eq 'Poodle'`. They
    /// are null for entities of other types.
    public func `as`<Derived: TypedEntity>(_: Derived.Type) -> Derived.Fields {
        Derived.Fields(path: path.cast(to: Derived.typeName))
    }

    /// Whether the entity is one of a derived type: `isof($it,Zoo.Dog)`
    public func `is`<Derived: TypedEntity>(_: Derived.Type) -> QueryCondition { path.isOf(Derived.typeName) }
}

extension ToOne {
    /// The properties as those of a derived type: `Pet/Zoo.Dog/Breed`. They are null for entities of other types.
    public func `as`<Derived: TypedEntity>(_: Derived.Type) -> Derived.Fields {
        Derived.Fields(path: path.cast(to: Derived.typeName))
    }

    /// Whether the entity is one of a derived type: `isof(Pet,Zoo.Dog)`
    public func `is`<Derived: TypedEntity>(_: Derived.Type) -> QueryCondition { path.isOf(Derived.typeName) }
}

extension ToMany {
    /// Only those of a derived type: `Pets/Zoo.Dog/any(a:a/Breed eq 'Poodle')`
    public func of<Derived: TypedEntity>(_: Derived.Type) -> ToMany<Derived> {
        ToMany<Derived>(path.cast(to: Derived.typeName))
    }
}
