import ODataMetadata
import ODataModel

extension AtomHandler {
    /// `<d:Price m:type="Edm.Decimal">12.50</d:Price>`
    mutating func property(_ name: AtomName, _ attributes: XMLAttributes<AtomName>) {
        guard name.tag == .data, let last = entries.indices.last else { return passOver(name) }
        let (row, level) = (entries[last].row, entries[last].level)
        let member = self.member(name.number, level: level)
        switch member {
        case .unresolved, .unknown: frames.append(.skip)
        case .undeclared:
            let (property, type) = (names.names[Int(name.number)], levels[level].shape.type.name)
            note("\(property) is not a property of \(type): it is ignored.")
            frames.append(.skip)
        case .leaf(let slot):
            textStart = composer.block.buffer.count
            if attributes.isNull {
                composer.set(slot, of: row, to: .null)
                frames.append(.null(slot))
            } else {
                frames.append(.leaf(slot))
            }
        case .geo(let slot):
            if attributes.isNull {
                composer.set(slot, of: row, to: .null)
                frames.append(.null(slot))
            } else {
                geography = GeographyBuilder()
                frames.append(.geo(slot))
            }
        case .nested(let slot):
            let type = levels[level].shape.properties[slot].type
            let isUntyped = type == .primitive(.untyped) || type == .primitive(.primitiveType)
            beginNested(attributes, type: isUntyped ? nil : type, slot: slot, name: names.names[Int(name.number)])
        case .dynamic: beginNested(attributes, type: nil, slot: -1, name: names.names[Int(name.number)])
        }
    }

    private mutating func member(_ number: Int32, level: Int) -> Member {
        let index = Int(number)
        while members[level].count <= index { members[level].append(.unresolved) }
        if members[level][index] != .unresolved { return members[level][index] }
        let found = resolve(names.names[index], level: levels[level])
        members[level][index] = found
        return found
    }

    private func resolve(_ name: String, level: ShapeLevel) -> Member {
        guard let slot = level.shape.slot(of: name) else {
            // What the query did not select has no slot either, but is no dynamic property.
            let isDeclared = level.shape.types.contains { $0.property(named: name) != nil }
            guard !isDeclared else { return .unknown }
            if level.shape.dynamicSlot != nil { return .dynamic }
            return level.shape.types.contains(where: \.isOpen) ? .unknown : .undeclared
        }
        switch level.kinds[slot] {
        case .nested: return .nested(slot)
        case .geo: return .geo(slot)
        default: return .leaf(slot)
        }
    }

    mutating func endLeaf(_ slot: Int) throws(FormatError) {
        guard let index = entries.indices.last else { return }
        let level = entries[index].level
        guard let value = composer.slot(textFrom: textStart, kind: levels[level].kinds[slot]) else {
            return try endBadLeaf(slot, of: entries[index].row, levels[level].shape)
        }
        composer.set(slot, of: entries[index].row, to: value)
    }

    /// A value that is not one of its property's type: null where the reader takes such values so, and they are not of the
    /// key.
    private mutating func endBadLeaf(_ slot: Int, of row: Int, _ shape: RowShape) throws(FormatError) {
        let (property, text) = (shape.properties[slot], composer.refused)
        guard limits.takesBadValuesAsNull, shape.keySlots?.contains(slot) != true else {
            throw mismatch(
                property, text: String(text.prefix(40)), length: text.count,
                entity: composer.entity(at: row, shape: shape))
        }
        composer.set(slot, of: row, to: .null)
        let shown = "“\(text.prefix(40))\(text.count > 40 ? "…" : "")”"
        composer.note(property.badValue(shown), row: row, eachTime: true) { $0.entity(at: row, shape: shape) }
    }

    private func mismatch(_ property: EdmProperty, text: String, length: Int, entity: String? = nil) -> FormatError {
        var error = FormatError(
            (entity.map { "\($0): " } ?? "")
                + "\(property.name) is of type \(property.type), which “\(text)\(length > 40 ? "…" : "")” is not "
                + "a value of."
                + LegacyLexical.advice(property, refused: text),
            property: property.name)
        (error.entity, error.isOfValue) = (entity, true)
        return error
    }

    // MARK: Complex values, collections, dynamic properties

    private mutating func beginNested(
        _ attributes: XMLAttributes<AtomName>, type: EdmTypeReference?, slot: Int, name: String
    ) {
        let model = levels[0].shape.model
        let told = attributes.text(of: .metadataTypeAttribute).flatMap { LegacyTypeName.type(named: $0, model: model) }
        nested.begin(type: type ?? told, actual: told, name: name, isDynamic: slot < 0, isNull: attributes.isNull)
        frames.append(.nested(slot))
    }

    /// `<d:Street>…</d:Street>` in a complex value, `<m:element>…</m:element>` in a collection.
    mutating func member(_ name: AtomName, _ attributes: XMLAttributes<AtomName>) throws(FormatError) {
        guard name.tag == .data || name.tag == .element else { return passOver(name) }
        let model = levels[0].shape.model
        let told = attributes.text(of: .metadataTypeAttribute).flatMap { LegacyTypeName.type(named: $0, model: model) }
        do {
            try nested.start(names.names[Int(name.number)], told: told, isNull: attributes.isNull, model: model)
        } catch {
            throw inEntity(error)
        }
        frames.append(.member)
    }

    mutating func endNested(_ slot: Int) throws(FormatError) {
        guard let entry = entries.last else { return }
        let name = nested.rootName
        do { try nested.end(model: levels[0].shape.model) } catch { throw inEntity(error) }
        let json = nested.takeJSON()
        if let name {
            if !entry.dynamic.isEmpty { entries[entries.count - 1].dynamic.append(UInt8(ascii: ",")) }
            JSONText.append(quoted: name, to: &entries[entries.count - 1].dynamic)
            entries[entries.count - 1].dynamic.append(UInt8(ascii: ":"))
            entries[entries.count - 1].dynamic += json
        } else if json == Array("null".utf8) {
            composer.set(slot, of: entry.row, to: .null)
        } else {
            let span = composer.block.append(bytes: json)
            composer.set(slot, of: entry.row, to: .span(.json, span))
        }
    }

    mutating func endGeography(_ slot: Int) throws(FormatError) {
        guard let entry = entries.last else { return }
        guard let json = geography.geoJSON else {
            throw inEntity(mismatch(levels[entry.level].shape.properties[slot], text: "the GML", length: 0))
        }
        let span = composer.block.append(text: json)
        composer.set(slot, of: entry.row, to: .span(.json, span))
    }
}
