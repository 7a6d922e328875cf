/// How a generated entity is `Identifiable`.
enum Identity {
    /// By its property `id`, which is the key.
    case property
    /// By a property `id` that the model does not have: the key.
    case computed(type: String, key: [Member])

    /// Nil for entities without a key that is here, and where something else has the name `id`.
    ///
    /// - Parameter isFree: Whether nothing has it.
    init?(_ key: [Member]?, isFree: Bool) {
        guard let key else { return nil }
        if key.count == 1, key[0].name == "id" {
            self = .property
        } else {
            guard isFree, key.count == 1 || key.allSatisfy({ !$0.isOptional }) else { return nil }
            self = .computed(type: key.count > 1 ? "Key" : key[0].declaredType, key: key)
        }
    }
}
