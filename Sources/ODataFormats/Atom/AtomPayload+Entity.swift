import ODataMetadata
import ODataModel
import ODataQuery

extension AtomPayload {
    /// Reads an entry as the body of a create or update. Links with `m:inline` are nested entities, others bindings.
    ///
    /// - Parameter reference: Turns the address of a link into a reference.
    /// - Throws: ``FormatError`` naming a property that the type does not have or whose value does not fit it.
    package static func entity(
        _ bytes: [UInt8], type: EdmStructuredType, model: EdmModel, limits: PayloadLimits = .default,
        reference: (String) -> EntityReference = { .url($0) }
    ) throws(FormatError) -> EntityPayload {
        let root = try tree(bytes, limits: limits)
        guard root.name == "entry", root.isAtom else { throw FormatError("An entry is expected, not “\(root.name)”.") }
        return try withoutActuallyEscaping(reference) { (reference) throws(FormatError) in
            try AtomEntryReader(values: AtomTreeReader(model: model, isStrict: true), reference: reference)
                .payload(root, type: type)
        }
    }

    /// Writes an entry as the body of a create or update: bindings as links, nested entities inline.
    ///
    /// - Parameter url: The text for a reference.
    /// - Throws: ``FormatError`` for text that XML cannot have.
    package static func bytes(
        _ payload: EntityPayload, type: EdmStructuredType, model: EdmModel, options: LegacyWriterOptions,
        url: (EntityReference) -> String = \.url
    ) throws(FormatError) -> [UInt8] {
        var text = XMLText()
        text.raw(XMLText.declaration)
        withoutActuallyEscaping(url) { url in
            AtomEntryWriter(model: model, options: options, url: url).write(
                payload, type: type, isRoot: true, to: &text)
        }
        if let problem = text.problem(of: type.name.name) { throw FormatError(problem) }
        return text.takeBytes()
    }
}

/// Reads entries as entities to be made or changed.
private struct AtomEntryReader {
    let values: AtomTreeReader
    let reference: (String) -> EntityReference

    func payload(_ entry: XMLTree, type declared: EdmStructuredType) throws(FormatError) -> EntityPayload {
        let type = try self.type(of: entry, declared: declared)
        var payload = EntityPayload()
        if type.name != declared.name { payload.type = type.name }
        payload.etag = entry.metadata("etag")
        try checkText(of: entry)
        for child in entry.children {
            switch child.name {
            case "link" where child.isAtom: try link(child, type: type, into: &payload)
            case "content" where child.isAtom:
                try checkText(of: child)
                for content in child.children {
                    guard content.name == "properties", AtomNamespace.isMetadata(content.namespace) else {
                        throw misplaced(content, in: child)
                    }
                    try properties(content, type: type, into: &payload)
                }
            case "properties" where AtomNamespace.isMetadata(child.namespace):
                try properties(child, type: type, into: &payload)
            default:
                // What extends Atom may stand here.
                if AtomNamespace.isData(child.namespace) { throw misplaced(child, in: entry) }
            }
        }
        return payload
    }

    private func misplaced(_ child: XMLTree, in element: XMLTree) -> FormatError {
        values.error("<\(child.name)> has no place in <\(element.name)>.", child)
    }

    private func checkText(of element: XMLTree) throws(FormatError) {
        guard element.hasText else { return }
        let text = AtomPayload.trimmed(element.text)
        throw values.error(
            "<\(element.name)> holds the text “\(text.prefix(40))”, where elements are expected.", element)
    }

    /// The declared type, or the one that the category names if that derives from it.
    private func type(of entry: XMLTree, declared: EdmStructuredType) throws(FormatError) -> EdmStructuredType {
        let categories = entry.children(named: "category").filter { $0.isAtom && $0["scheme"] != nil }
        guard let category = categories.first(where: { $0["scheme"]?.hasSuffix("/scheme") == true }),
            let term = category["term"], !term.isEmpty
        else { return declared }
        let name = EdmQualifiedName(term.hasPrefix("#") ? String(term.dropFirst()) : term)
        if let type = values.model.structuredType(named: name), type.isKind(of: declared) { return type }
        throw values.error("The entity is of type \(declared.name), not \(term).", category)
    }

    private func properties(
        _ element: XMLTree, type: EdmStructuredType, into payload: inout EntityPayload
    ) throws(FormatError) {
        try checkText(of: element)
        for child in element.children {
            guard child.isValue else { throw misplaced(child, in: element) }
            guard payload.properties[child.name] == nil else {
                throw values.error("The property \(child.name) is given twice.", child)
            }
            if let property = type.property(named: child.name) {
                guard !property.isStream else {
                    throw values.error("\(child.name) is a stream: PUT its bytes instead.", child)
                }
                payload.properties[child.name] = try values.value(child, type: property.type)
            } else if type.isOpen {
                payload.properties[child.name] = try values.untyped(child)
            } else {
                throw values.error(
                    ValueProblem(child.name, ValueProblem.isNotDeclared(by: type.name)).message, child)
            }
        }
    }

    private func link(_ link: XMLTree, type: EdmStructuredType, into payload: inout EntityPayload) throws(FormatError) {
        guard let name = link["rel"].flatMap({ AtomNamespace.suffix(of: $0, after: AtomNamespace.related) }) else {
            return
        }
        guard let navigation = type.navigationProperty(named: name), let target = values.model.target(of: navigation)
        else { throw values.error("\(type.name) has no navigation property \(name).", link) }
        let inline = link.children.first { $0.name == "inline" && AtomNamespace.isMetadata($0.namespace) }
        guard let inline else {
            guard let href = link["href"], !href.isEmpty else { return }
            bind(navigation, to: reference(href), in: &payload)
            return
        }
        for part in [inline] + inline.children(named: "feed") { try checkText(of: part) }
        if let child = inline.children.first(where: { $0.name != "feed" && $0.name != "entry" }) {
            throw misplaced(child, in: inline)
        }
        let feeds = inline.children(named: "feed")
        let entries = inline.children(named: "entry") + feeds.flatMap { $0.children(named: "entry") }
        guard !entries.isEmpty else {
            if !navigation.isCollection { payload.bindings.append(.init(navigation: name, references: [])) }
            return
        }
        guard navigation.isCollection || entries.count == 1 else {
            throw values.error("\(name) is one entity, but several entries stand there.", inline)
        }
        var entities: [EntityPayload] = []
        for entry in entries { entities.append(try self.payload(entry, type: target)) }
        payload.nested.append(.init(navigation: name, entities: entities))
    }

    private func bind(_ navigation: EdmNavigationProperty, to target: EntityReference, in payload: inout EntityPayload)
    {
        if let index = payload.bindings.firstIndex(where: { $0.navigation == navigation.name }) {
            payload.bindings[index].references.append(target)
        } else {
            payload.bindings.append(.init(navigation: navigation.name, references: [target]))
        }
    }
}

/// Writes entities to be made or changed as entries.
private struct AtomEntryWriter {
    let model: EdmModel
    let options: LegacyWriterOptions
    let url: (EntityReference) -> String

    func write(_ payload: EntityPayload, type declared: EdmStructuredType?, isRoot: Bool, to text: inout XMLText) {
        let type = payload.type.flatMap { model.structuredType(named: $0) } ?? declared
        text.raw("<entry")
        if isRoot { AtomEntityWriter.namespaces(of: options, to: &text) }
        text.raw(">")
        if let type { text.element("category", ["term": "\(type.name)", "scheme": AtomNamespace.scheme]) }
        text.element("id")
        for binding in payload.bindings { write(binding, type: type, to: &text) }
        for nested in payload.nested { write(nested, type: type, to: &text) }
        text.element("title")
        text.element("updated", text: options.updated)
        text.element("author") { $0.element("name") }
        let hasStream = type?.hasStream == true
        // The properties of a media entity stand beside its content.
        text.raw(hasStream ? "<m:properties>" : "<content type=\"application/xml\"><m:properties>")
        for member in payload.properties.members {
            let property = type?.property(named: member.name)
            AtomValue.property(
                member.name, member.value, type: property?.type, annotations: property?.annotations ?? [], model: model,
                to: &text)
        }
        text.raw(hasStream ? "</m:properties></entry>" : "</m:properties></content></entry>")
    }

    private func beginLink(_ name: String, isFeed: Bool, href: String, to text: inout XMLText) {
        text.raw("<link")
        text.attribute("rel", AtomNamespace.related + name)
        text.attribute("type", "application/atom+xml;type=\(isFeed ? "feed" : "entry")")
        text.attribute("title", name)
        text.attribute("href", href)
    }

    private func write(_ binding: EntityPayload.Binding, type: EdmStructuredType?, to text: inout XMLText) {
        let isCollection = type?.navigationProperty(named: binding.navigation)?.isCollection ?? false
        for reference in binding.references {
            beginLink(binding.navigation, isFeed: isCollection, href: url(reference), to: &text)
            text.raw("/>")
        }
        guard binding.references.isEmpty, !isCollection else { return }
        beginLink(binding.navigation, isFeed: false, href: "", to: &text)
        text.raw("><m:inline/></link>")
    }

    private func write(_ nested: EntityPayload.Nested, type: EdmStructuredType?, to text: inout XMLText) {
        let navigation = type?.navigationProperty(named: nested.navigation)
        let target = navigation.flatMap { model.target(of: $0) }
        let isCollection = navigation?.isCollection ?? true
        beginLink(nested.navigation, isFeed: isCollection, href: nested.navigation, to: &text)
        text.raw(isCollection ? "><m:inline><feed>" : "><m:inline>")
        for entity in nested.entities { write(entity, type: target, isRoot: false, to: &text) }
        text.raw(isCollection ? "</feed></m:inline></link>" : "</m:inline></link>")
    }
}
