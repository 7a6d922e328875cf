import ODataModel

/// What is the same for all entities of a shape, made once: the names as JSON text.
struct WriterLevel: Sendable {
    /// How a slot's value is written. Nothing in it is counted, so that it can be copied for each value.
    struct Column: Sendable {
        /// In ``WriterLevel/names``: `"Name":`, after a type annotation where one is needed.
        var nameStart: Int
        var nameEnd: Int
        /// Whether numbers are written in quotes: Int64 and Decimal for IEEE754Compatible=true.
        var isQuoted: Bool
        var isDecimal: Bool
        /// Whether null is left out.
        var omitsNull: Bool
        /// Whether the property's default is left out: see ``WriterLevel/defaults``.
        var omitsDefault: Bool
    }

    struct Child: Sendable {
        var name: String
        var isCollection: Bool
        var isLink: Bool
        var isCountOnly: Bool
        var level: WriterLevel
    }

    /// What differs between the types of rows.
    struct TypeInformation: Sendable {
        /// `"@odata.type":"#Model.Product",`; empty where the type is known.
        var annotation: [UInt8] = []
        /// `/Model.Tea`, for edit links of derived types.
        var cast = ""
        /// Navigation properties whose links are written, with full metadata.
        var links: [String] = []
    }

    var shape: RowShape
    var columns: [Column] = []
    /// The default values of the columns, where they are left out.
    var defaults: [EdmValue?] = []
    var names: [UInt8] = []
    var children: [Child]
    var types: [TypeInformation]
    var isReference: Bool
    /// Slots in nested objects, with the others in their order; nil where there are none.
    var layout: [Node]?
    /// Whether entities have no id: results of aggregation.
    var isTransient: Bool

    /// - Parameter declared: The type that the context or the navigation property gives.
    init(
        shape: RowShape, options: JSONWriterOptions, declared: EdmStructuredType? = nil, isReference: Bool = false
    ) {
        self.shape = shape
        self.isReference = isReference
        let declared = declared ?? shape.type
        let isKnown = shape.model.structuredType(named: shape.type.name) == shape.type
        isTransient = !isKnown && shape.type.kind == .entity && shape.keySlots == nil && shape.children.isEmpty
        children = shape.children.map { child in
            Child(
                name: child.navigation.name, isCollection: child.navigation.isCollection, isLink: child.isLink,
                isCountOnly: child.isCountOnly,
                level: WriterLevel(
                    shape: child.shape, options: options, declared: shape.model.target(of: child.navigation),
                    isReference: child.isReference))
        }
        types = shape.types.map { type in
            Self.information(of: type, declared: declared, shape: shape, options: options)
        }
        addColumns(options: options)
        layout = Node.layout(of: shape)
    }

    private static func information(
        of type: EdmStructuredType, declared: EdmStructuredType, shape: RowShape, options: JSONWriterOptions
    ) -> TypeInformation {
        let isKnown = shape.model.structuredType(named: type.name) == type
        var information = TypeInformation()
        let isFull = options.metadata == .full
        if isKnown, isFull || (options.metadata == .minimal && type.name != declared.name) {
            JSONText.append(quoted: options.style.control("type"), to: &information.annotation)
            information.annotation.append(UInt8(ascii: ":"))
            JSONText.append(quoted: "#\(type.name)", to: &information.annotation)
            information.annotation.append(UInt8(ascii: ","))
        }
        if let set = shape.entitySet, type.name != set.type.name { information.cast = "/\(type.name)" }
        if isFull { information.links = type.navigationProperties.map(\.name) }
        return information
    }

    private mutating func addColumns(options: JSONWriterOptions) {
        let style = options.style
        for (slot, property) in shape.properties[..<shape.hiddenFrom].enumerated() {
            let start = names.count
            let name = property.name.contains("/") ? shape.path(of: slot).last ?? "" : property.name
            if let type = typeToTell(of: property, style: style) {
                JSONText.append(quoted: name + style.control("type"), to: &names)
                names.append(UInt8(ascii: ":"))
                JSONText.append(quoted: type, to: &names)
                names.append(UInt8(ascii: ","))
            }
            JSONText.append(quoted: name, to: &names)
            names.append(UInt8(ascii: ":"))
            let isDecimal = property.type == .decimal
            let omission = options.isDelta ? nil : options.omission
            let standard = omission == .defaults ? property.defaultValue : nil
            defaults.append(standard.flatMap { EdmValue(lexical: $0, type: property.type) })
            columns.append(
                Column(
                    nameStart: start, nameEnd: names.count,
                    isQuoted: options.ieee754Compatible && (isDecimal || property.type == .int64),
                    isDecimal: isDecimal, omitsNull: omission != nil && standard == nil,
                    omitsDefault: defaults.last ?? nil != nil))
        }
    }

    /// The type of a property that JSON does not show, with full metadata or where the model does not specify it it.
    private func typeToTell(of property: EdmProperty, style: JSONStyle) -> String? {
        switch style.types {
        case .none: return nil
        case .all: return style.typeName(property.type)
        case .needed:
            let isDeclared = shape.types.contains { type in
                shape.model.structuredType(named: type.name)?.property(named: property.name) != nil
            }
            let setProperty = shape.entitySet?.type.property(named: property.name)
            if isDeclared || setProperty?.type == property.type || property.name.contains("/") { return nil }
            if case .complex = property.type { return nil }
            return style.typeName(property.type)
        }
    }

    /// Where a slot is written: by itself, or in an object with others.
    indirect enum Node: Sendable {
        case slot(Int)
        case object(name: String, [Node])

        /// Nil where no slot is nested.
        static func layout(of shape: RowShape) -> [Node]? {
            let slots = shape.properties[..<shape.hiddenFrom].indices
            guard slots.contains(where: { shape.properties[$0].name.contains("/") }) else { return nil }
            var nodes: [Node] = []
            for slot in slots {
                let path = shape.properties[slot].name.contains("/") ? shape.path(of: slot) : [""]
                insertSlot(slot, path: path[...], to: &nodes)
            }
            return nodes
        }

        private static func insertSlot(_ slot: Int, path: ArraySlice<String>, to nodes: inout [Node]) {
            guard path.count > 1, let name = path.first else { return nodes.append(.slot(slot)) }
            let known = nodes.firstIndex { if case .object(name, _) = $0 { true } else { false } }
            var inner: [Node] = []
            if let known, case .object(_, let nodes) = nodes[known] { inner = nodes }
            insertSlot(slot, path: path.dropFirst(), to: &inner)
            if let known {
                nodes[known] = .object(name: name, inner)
            } else {
                nodes.append(.object(name: name, inner))
            }
        }
    }
}
