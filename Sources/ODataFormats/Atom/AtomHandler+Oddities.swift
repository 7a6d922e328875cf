import ODataModel

/// Values that do not fit, and what stands where nothing of its kind belongs: the first are refused, the others noted.
extension AtomHandler {
    // MARK: Values

    /// A value that is not one of its property's type: null where the reader takes such values so, and they are not of
    /// the key.
    ///
    /// - Parameters:
    ///   - path: Of the part of the value that is at fault; nil for the whole.
    ///   - type: Of that part.
    mutating func refuse(
        _ slot: Int, text: String, path: String? = nil, type: TypeReference? = nil
    ) throws(FormatError) {
        guard let entry = entries.last else { return }
        let shape = levels[entry.level].shape
        let property = shape.properties[slot]
        guard limits.takesBadValuesAsNull, shape.keySlots?.contains(slot) != true else {
            let entity = composer.entity(at: entry.row, shape: shape)
            let reason =
                "\(path ?? property.name) is of type \(type ?? property.type), which \(shown(text)) is no value of."
                + V2Lexical.advice(property, refused: text)
            throw fault(reason, property: property.name, entity: entity, isOfValue: true)
        }
        composer.set(slot, of: entry.row, to: .null)
        composer.note(property.badValue(shown(text)), row: entry.row, eachTime: true) {
            $0.entity(at: entry.row, shape: shape)
        }
    }

    /// The value of a dynamic property, of the type that the payload tells.
    mutating func refuse(dynamic fault: NestedValue.Fault) throws(FormatError) {
        guard let entry = entries.last else { return }
        let shape = levels[entry.level].shape
        let property = Property(name: fault.path, type: fault.type)
        guard limits.takesBadValuesAsNull else {
            throw self.fault(
                "\(fault.path) is of type \(fault.type), which \(shown(fault.text)) is no value of.",
                property: fault.path, entity: composer.entity(at: entry.row, shape: shape), isOfValue: true)
        }
        composer.note(property.badValue(shown(fault.text)), row: entry.row, eachTime: true) {
            $0.entity(at: entry.row, shape: shape)
        }
    }

    private func shown(_ text: String) -> String { "“\(text.prefix(40))\(text.count > 40 ? "…" : "")”" }

    private func fault(_ message: String, property: String, entity: String?, isOfValue: Bool) -> FormatError {
        var error = FormatError((entity.map { "\($0): " } ?? "") + message, property: property)
        (error.entity, error.isOfValue) = (entity, isOfValue)
        return error
    }

    // MARK: Expanded entities

    /// `<entry>` of what the link of the open entry expands.
    ///
    /// - Throws: ``FormatError`` for the second of what is one entity: which of them is meant cannot be told.
    mutating func beginExpanded(_ attributes: XMLAttributes<AtomName>, child: Int) throws(FormatError) {
        guard let parent = entries.last else { return }
        let shape = levels[parent.level].shape
        let navigation = shape.children[child].navigation
        let depth = entries.count
        let isSecond =
            !navigation.isCollection
            && composer.block.rows[(parent.row + 1)...].contains { Int($0.depth) == depth && Int($0.child) == child }
        guard !isSecond else {
            throw fault(
                "\(navigation.name) is one entity, but several entries stand there.", property: navigation.name,
                entity: composer.entity(at: parent.row, shape: shape), isOfValue: false)
        }
        beginEntry(attributes, level: levels[parent.level].children[child], child: child)
    }

    // MARK: Notes

    /// Notes what is odd in the entry that is being read, or else near it; once for each payload.
    mutating func note(_ message: String) {
        guard let row = entries.last?.row ?? composer.block.rows.indices.last else {
            return waitingNotes.append(message)
        }
        let shape = entries.last.map { levels[$0.level].shape }
        composer.note(message, row: row) { composer in shape.flatMap { composer.entity(at: row, shape: $0) } }
    }

    /// Gives what was noted before the first entry to that entry.
    mutating func takeWaitingNotes() {
        guard !waitingNotes.isEmpty, let row = entries.last?.row else { return }
        for message in waitingNotes { composer.note(message, row: row) { _ in nil } }
        waitingNotes = []
    }

    /// Text between elements.
    mutating func noteText(in frame: Frame) {
        let place: String
        switch frame {
        case .null(let property): return noteNull(property)
        case .properties: place = "between the properties"
        case .content: place = "in the content, where properties are expected"
        case .entry: place = "between the elements of an entry"
        case .feed: place = "between the entries"
        case .link, .inline: place = "in a link"
        case .person: place = "in an author or contributor"
        default: return
        }
        note("Text stands \(place): it is passed over.")
    }

    mutating func noteNull(_ property: Int32) {
        note("\(names.names[Int(property)]) is null, but a value stands there: it is passed over.")
    }

    mutating func noteUndeclared(_ name: String, of shape: RowShape) {
        note("\(name) is not a property of \(shape.type.name): it is passed over.")
    }

    /// A link for what no type of the shape has.
    mutating func noteUndeclared(link name: String, of shape: RowShape) {
        let isKnown = shape.types.contains { $0.isOpen || $0.navigationProperty(named: name) != nil }
        if !isKnown { note("\(name) is not a navigation property of \(shape.type.name): it is passed over.") }
    }

    /// Passes over an element. Those that Atom has or that extend it mean nothing here; those of OData are noted.
    ///
    /// [RFC 4287, section 6.3]
    mutating func passOver(_ name: AtomName, in place: String) {
        switch name.tag {
        case .data, .properties, .inline, .element, .deletedEntry, .feed, .entry:
            note("<\(names.names[Int(name.number)])> stands in \(place): it is passed over.")
        default: break
        }
        frames.append(.skip)
    }

    mutating func contentChild(_ name: AtomName) {
        guard name.tag != .properties else { return frames.append(.properties) }
        note(
            "<\(names.names[Int(name.number)])> stands in the content, where properties are expected: it is passed over."
        )
        frames.append(.skip)
    }

    /// An element among the properties that is not one.
    mutating func foreignProperty(_ name: AtomName) {
        note("<\(names.names[Int(name.number)])> is not of the namespace of properties: it is passed over.")
        frames.append(.skip)
    }
}
