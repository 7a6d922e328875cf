import ODataModel

extension AtomHandler {
    /// `<d:Price m:type="Edm.Decimal">12.50</d:Price>`
    mutating func property(_ name: AtomName, _ attributes: XMLAttributes<AtomName>) {
        guard name.tag == .data, let last = entries.indices.last else { return foreignProperty(name) }
        let (row, level) = (entries[last].row, entries[last].level)
        let member = self.member(name.number, level: level)
        switch member {
        case .unresolved, .unknown: frames.append(.skip)
        case .undeclared:
            noteUndeclared(names.names[Int(name.number)], of: levels[level].shape)
            members[level][Int(name.number)] = .unknown
            frames.append(.skip)
        case .leaf(let slot):
            textStart = composer.block.buffer.count
            strayElement = nil
            if attributes.isNull {
                composer.set(slot, of: row, to: .null)
                frames.append(.null(name.number))
            } else {
                frames.append(.leaf(slot))
            }
        case .geo(let slot):
            if attributes.isNull {
                composer.set(slot, of: row, to: .null)
                frames.append(.null(name.number))
            } else {
                geography = GeographyBuilder()
                frames.append(.geo(slot))
            }
        case .nested(let slot):
            let type = levels[level].shape.properties[slot].type
            let isUntyped = type == .primitive(.untyped) || type == .primitive(.primitiveType)
            beginNested(name, attributes, type: isUntyped ? nil : type, slot: slot)
        case .dynamic: beginNested(name, attributes, type: nil, slot: -1)
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
            if isDeclared { return .unknown }
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
        if let element = strayElement {
            strayElement = nil
            composer.block.buffer.removeLast(composer.block.buffer.count - textStart)
            return try refuse(slot, text: "<\(element)>")
        }
        guard let value = composer.slot(textFrom: textStart, kind: levels[level].kinds[slot]) else {
            return try refuse(slot, text: composer.refused)
        }
        composer.set(slot, of: entries[index].row, to: value)
    }

    // MARK: Complex values, collections, dynamic properties

    /// - Parameter slot: -1 for a dynamic property.
    private mutating func beginNested(
        _ name: AtomName, _ attributes: XMLAttributes<AtomName>, type: TypeReference?, slot: Int
    ) {
        let model = levels[0].shape.model
        let told = attributes.text(of: .metadataTypeAttribute).flatMap { V2TypeName.type(named: $0, model: model) }
        nested.begin(
            type: type ?? told, actual: told, property: names.names[Int(name.number)], isDynamic: slot < 0,
            isNull: attributes.isNull)
        geography = GeographyBuilder()
        frames.append(.nested(slot))
    }

    /// `<d:Street>…</d:Street>` in a complex value, `<m:element>…</m:element>` in a collection, GML in either.
    mutating func member(_ name: AtomName, _ attributes: XMLAttributes<AtomName>) {
        let (model, text) = (levels[0].shape.model, names.names[Int(name.number)])
        guard name.tag == .data || name.tag == .element else {
            guard nested.isGeography else {
                nested.refuse(text, model: model)
                return frames.append(.skip)
            }
            geography.start(text, nil)
            return frames.append(.geoPart)
        }
        let told = attributes.text(of: .metadataTypeAttribute).flatMap { V2TypeName.type(named: $0, model: model) }
        let isTaken = nested.start(text, told: told, isNull: attributes.isNull, model: model)
        if nested.isGeography { geography = GeographyBuilder() }
        frames.append(isTaken ? .member : .skip)
    }

    /// The end of a nested value or of a part of it.
    mutating func endPart() {
        let isGeography = nested.isGeography && !geography.isEmpty
        nested.end(model: levels[0].shape.model, geography: isGeography ? geography.geoJSON ?? "" : nil)
    }

    mutating func endNested(_ slot: Int) throws(FormatError) {
        guard let entry = entries.last else { return }
        let name = nested.rootName
        endPart()
        for oddity in nested.oddities { note(oddity) }
        var json = nested.takeJSON()
        if let fault = nested.fault {
            guard name != nil else { return try refuse(slot, text: fault.text, path: fault.path, type: fault.type) }
            try refuse(dynamic: fault)
            json = Array("null".utf8)
        }
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
            return try refuse(slot, text: "the GML")
        }
        let span = composer.block.append(text: json)
        composer.set(slot, of: entry.row, to: .span(.json, span))
    }
}
