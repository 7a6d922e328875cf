import ODataModel

extension CSDLReader {
    /// What V2 says of properties and V4 of their sets: which cannot be filtered by, sorted by, set; and units. What the
    /// document says in V4's terms takes precedence.
    func describeCapabilities(_ schemas: inout [EdmSchema]) {
        for schema in schemas.indices {
            for type in schemas[schema].types.indices { addUnits(to: &schemas[schema].types[type]) }
        }
        var types: [EdmQualifiedName: EdmStructuredTypeDeclaration] = [:]
        for schema in schemas {
            for type in schema.types { types[type.name] = type }
        }
        for schema in schemas.indices {
            for set in schemas[schema].entitySets.indices {
                let properties = properties(of: schemas[schema].entitySets[set].type, in: types)
                let limits = SetLimits(properties)
                limits.annotate(&schemas[schema].entitySets[set])
            }
        }
    }

    private func properties(
        of name: EdmQualifiedName, in types: [EdmQualifiedName: EdmStructuredTypeDeclaration]
    ) -> [EdmProperty] {
        var lineage: [EdmStructuredTypeDeclaration] = []
        var next = types[name]
        while let type = next, lineage.count < 100 {
            lineage.append(type)
            next = type.baseType.flatMap { types[$0] }
        }
        return lineage.reversed().flatMap(\.properties)
    }

    /// `sap:unit="Currency"` is a currency where that property is one, else a unit of measure.
    private func addUnits(to type: inout EdmStructuredTypeDeclaration) {
        for index in type.properties.indices {
            guard let path = type.properties[index].annotation(EdmAnnotation.sap("unit"))?.string else { continue }
            let unit = type.properties.first { $0.name == path }
            let isCurrency = unit?.annotation(EdmAnnotation.sap("semantics"))?.string == "currency-code"
            let term = "Org.OData.Measures.V1." + (isCurrency ? "ISOCurrency" : "Unit")
            type.properties[index].annotations.add([EdmAnnotation(term: term, value: .path(.value, path))])
        }
    }
}

/// What the properties of a set's type say about requests to the set.
private struct SetLimits {
    private let properties: [EdmProperty]

    init(_ properties: [EdmProperty]) {
        self.properties = properties.filter { !$0.annotations.isEmpty }
    }

    private func names(_ attribute: String, _ value: String) -> [EdmAnnotation.Value] {
        properties.filter { $0.annotation(EdmAnnotation.sap(attribute))?.string == value }
            .map { .path(.property, $0.name) }
    }

    func annotate(_ set: inout EdmEntitySetDeclaration) {
        var filter = EdmAnnotation.Record()
        if set.annotation(EdmAnnotation.sap("requires-filter"))?.string == "true" {
            filter["RequiresFilter"] = .bool(true)
        }
        add(names("required-in-filter", "true"), "RequiredProperties", to: &filter)
        add(names("filterable", "false"), "NonFilterableProperties", to: &filter)
        if let expressions = filterExpressions { filter["FilterExpressionRestrictions"] = .collection(expressions) }
        var sort = EdmAnnotation.Record()
        add(names("sortable", "false"), "NonSortableProperties", to: &sort)
        set.annotate(SAPTerms.capability("FilterRestrictions"), filter)
        set.annotate(SAPTerms.capability("SortRestrictions"), sort)
        let fixed = properties.filter {
            $0.annotation(EdmAnnotation.dataServices("ConcurrencyMode"))?.string == "Fixed"
        }
        if !fixed.isEmpty {
            let paths = fixed.map { EdmAnnotation.Value.path(.property, $0.name) }
            set.annotations.add([EdmAnnotation(term: EdmAnnotation.optimisticConcurrency, value: .collection(paths))])
        }
    }

    private func add(_ names: [EdmAnnotation.Value], _ member: String, to record: inout EdmAnnotation.Record) {
        if !names.isEmpty { record[member] = .collection(names) }
    }

    /// `sap:filter-restriction="single-value"`
    private var filterExpressions: [EdmAnnotation.Value]? {
        let known = ["single-value": "SingleValue", "multi-value": "MultiValue", "interval": "SingleRange"]
        let records = properties.compactMap { property -> EdmAnnotation.Value? in
            guard let text = property.annotation(EdmAnnotation.sap("filter-restriction"))?.string,
                let expression = known[text]
            else { return nil }
            return .record([
                "Property": .path(.property, property.name), "AllowedExpressions": .string(expression),
            ])
        }
        return records.isEmpty ? nil : records
    }
}

extension EdmEntitySetDeclaration {
    fileprivate mutating func annotate(_ term: String, _ record: EdmAnnotation.Record) {
        guard !record.members.isEmpty else { return }
        guard let index = annotations.firstIndex(where: { $0.term == term }) else {
            return annotations.append(EdmAnnotation(term: term, value: .record(record)))
        }
        guard case .record(var own) = annotations[index].value else { return }
        own.members += record.members.filter { own[$0.name] == nil }
        annotations[index].value = .record(own)
    }
}
