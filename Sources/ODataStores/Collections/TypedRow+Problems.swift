import ODataModel

/// Why a row is not an entity of its structure.
extension TypedRow {
    private static let advice = "If the service has changed, generate its types anew."

    private var subject: String { rows.id(of: header) ?? "An entity" }

    private func property(_ property: Int) -> EdmProperty? {
        let slot = rows.slots[property]
        return slot >= 0 ? rows.shape.properties[slot] : nil
    }

    /// A value that the structure needs is null, or did not come.
    @usableFromInline
    func missing(_ index: Int) -> ODataError {
        guard let property = property(index) else {
            return problem("is not a \(typeName): A property that it needs was not asked for. \(Self.advice)")
        }
        if !property.isNullable, !isAbsent(index) {
            return problem("has null for \(property.name), which the metadata of \(typeName) do not provide for.")
        }
        return problem("is not a \(typeName): \(property.name) is null or missing. \(Self.advice)")
    }

    /// A value cannot be held.
    @usableFromInline
    func unfit(_ index: Int, _ type: Any.Type) -> ODataError {
        guard let property = property(index) else { return missing(index) }
        let slot = rows.values[firstSlot + rows.slots[index]]
        let value = rows.source.value(of: slot, rows.types[index])
        let check = NullCheck(model: rows.shape.model)
        if let place = value.flatMap({ check.place(in: $0, of: property, named: property.name) }) {
            return problem("of \(typeName) has null \(place), which its metadata do not provide for.")
        }
        return ODataError(
            .invalidResponse, "\(property.name) of \(subject) of \(typeName) is not a \(type). \(Self.advice)")
    }

    private func isAbsent(_ index: Int) -> Bool { rows.values[firstSlot + rows.slots[index]].kind == .absent }

    private func problem(_ text: String) -> ODataError { ODataError(.invalidResponse, "\(subject) \(text)") }
}

/// Finds null where metadata do not provide for it.
private struct NullCheck {
    let model: EdmModel

    /// `among the values of Tags`, `for Address/City`; nil where there is none.
    func place(in value: EdmValue, of property: EdmProperty, named path: String) -> String? {
        switch value {
        case .null: return property.isNullable ? nil : "for \(path)"
        case .collection(let values):
            if values.contains(.null), !property.hasNullMembers { return "among the values of \(path)" }
            return values.lazy.compactMap { place(in: $0, of: property, named: path) }.first
        case .complex(let complex):
            guard case .complex(let declared) = property.type.element else { return nil }
            return place(in: complex, of: complex.type ?? declared, named: path)
        default: return nil
        }
    }

    private func place(in value: EdmComplexValue, of type: EdmQualifiedName, named path: String) -> String? {
        guard let type = model.structuredType(named: type) else { return nil }
        return value.members.lazy.compactMap { member in
            type.property(named: member.name).flatMap {
                place(in: member.value, of: $0, named: "\(path)/\(member.name)")
            }
        }.first
    }
}
