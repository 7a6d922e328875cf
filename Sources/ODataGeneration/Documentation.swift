import ODataModel

/// What the metadata say about a model element, as paragraphs of a documentation comment.
struct Documentation {
    private(set) var paragraphs: [String] = []

    /// From `Core.Description` and `Core.LongDescription`, or from what V2 documents have in their place.
    init(_ element: some EdmAnnotated) {
        let label = Self.text(element, EdmAnnotation.coreDescription, EdmAnnotation.sap("label"))
        let more = Self.text(element, EdmAnnotation.longDescription, EdmAnnotation.sap("quickinfo"))
        if let label { paragraphs.append(label) }
        if let more, more != label { paragraphs.append(more) }
        if let deprecation = Self.deprecation(element) { paragraphs.append(deprecation) }
    }

    /// Of a property, with what limits its values.
    ///
    /// - Parameters:
    ///   - names: The Swift names of the properties of the type.
    ///   - model: Has the type definition, which reports what the property does not.
    init(_ property: EdmProperty, names: [String: String], model: EdmModel) {
        self.init(property)
        if paragraphs.isEmpty, let definition = property.namedType.flatMap({ model.typeDefinition(named: $0) }) {
            self.init(definition)
        }
        add(facts(of: property, names))
    }

    /// Adds a paragraph of sentences.
    mutating func add(_ sentences: [String]) {
        if !sentences.isEmpty { paragraphs.append(sentences.joined(separator: " ")) }
    }

    private func facts(of property: EdmProperty, _ names: [String: String]) -> [String] {
        var facts: [String] = []
        if let length = property.maxLength, length > 0 {
            facts.append("At most \(length) \(property.type.element == .primitive(.binary) ? "bytes" : "characters").")
        }
        if property.type.element == .decimal, let precision = property.precision {
            facts.append("At most \(precision) digits\(Self.scale(property)).")
        }
        if let unit = unit(of: property, names) { facts.append("In \(unit).") }
        if let value = property.defaultValue { facts.append("By default \(Self.flat(value)).") }
        if property.isNullable, property.defaultValue != nil, !property.type.isCollection {
            facts.append("A creation with nil gets that too.")
        }
        if property.isTagged(EdmAnnotation.computed) || property.isReadOnly {
            facts.append("The service makes the value.")
        }
        if property.isTagged(EdmAnnotation.immutable) { facts.append("Fixed once the entity exists.") }
        return facts
    }

    /// `Core.Revisions` with the kind `Deprecated`.
    private static func deprecation(_ element: some EdmAnnotated) -> String? {
        let revisions = element.annotation("Org.OData.Core.V1.Revisions")?.elements ?? []
        let records = revisions.compactMap(\.record).filter { record in
            if case .enumMember(_, let names)? = record["Kind"] { return names.contains("Deprecated") }
            return record["Kind"]?.string == "Deprecated"
        }
        guard let record = records.first else { return nil }
        let version = record["Version"]?.string.map { " since version \(flat($0))" } ?? ""
        return "Deprecated\(version)" + (record["Description"]?.string.map { ": \(flat($0))" } ?? ".")
    }

    private static func scale(_ property: EdmProperty) -> String {
        if case .fixed(let digits) = property.scale { ", \(digits) of them after the point" } else { "" }
    }

    /// `EUR`, or where the unit is the value of a property its Swift name.
    private func unit(of property: EdmProperty, _ names: [String: String]) -> String? {
        let terms = ["Org.OData.Measures.V1.ISOCurrency", "Org.OData.Measures.V1.Unit", EdmAnnotation.sap("unit")]
        for term in terms {
            guard let value = property.annotation(term) else { continue }
            if let path = value.path ?? (term == EdmAnnotation.sap("unit") ? value.string : nil) {
                return "the unit of `\(names[path] ?? Self.flat(path))`"
            }
            if let text = value.string { return Self.flat(text) }
        }
        return nil
    }

    private static func text(_ element: some EdmAnnotated, _ terms: String...) -> String? {
        for term in terms {
            if let text = element.annotation(term)?.string.map(flat), !text.isEmpty { return text }
        }
        return nil
    }

    /// In one line.
    private static func flat(_ text: String) -> String {
        text.split { $0.isWhitespace || $0.isNewline || $0.unicodeScalars.contains { $0.value < 32 } }
            .joined(separator: " ")
    }
}
