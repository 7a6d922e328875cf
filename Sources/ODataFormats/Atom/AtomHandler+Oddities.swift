import ODataMetadata
import ODataModel

/// Text and elements where nothing expects them: what cannot matter is ignored and noted.
extension AtomHandler {
    /// Notes what is odd in the entry that is being read.
    mutating func note(_ message: String) {
        let entry = entries.last
        let shape = levels[entry?.level ?? 0].shape
        composer.note(message, row: entry?.row ?? 0) { composer in
            entry.flatMap { composer.entity(at: $0.row, shape: shape) }
        }
    }

    /// Skips an element that has no place among properties.
    mutating func passOver(_ name: AtomName) {
        note("The element \(names.names[Int(name.number)]) is among properties: it is ignored.")
        frames.append(.skip)
    }

    /// `error` with the entity of the entry that is being read: by its key as far as it has come, or else its id.
    func inEntity(_ error: FormatError) -> FormatError {
        guard error.entity == nil, let entry = entries.last,
            let entity = composer.entity(at: entry.row, shape: levels[entry.level].shape)
        else { return error }
        var error = error
        error.entity = entity
        error.message = "\(entity): \(error.message)"
        return error
    }

    /// The error for a navigation property whose rows are of another kind than those of the entity's type.
    func lateType(_ name: String) -> FormatError {
        inEntity(FormatError(RowComposer.lateType(name), property: name))
    }

    /// The error for an element or text inside a property that cannot have it.
    func unexpected(_ found: String, in slot: Int) -> FormatError {
        guard let entry = entries.last else { return FormatError("\(found) is outside of an entry.") }
        let property = levels[entry.level].shape.properties[slot]
        let isNull = composer.slot(slot, of: entry.row).kind == .null
        let type = isNull ? "null" : "of type \(property.type)"
        let message = "\(property.name) is \(type), but the payload has \(found)."
        return inEntity(FormatError(message, property: property.name))
    }
}
