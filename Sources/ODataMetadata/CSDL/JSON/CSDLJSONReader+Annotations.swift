import ODataModel

extension CSDLJSONReader {
    /// The annotations of the object itself.
    mutating func annotations(of object: CSDLJSONObject) -> [EdmAnnotation] { annotations(object.annotations()) }

    /// - Parameter object: Terms and values: `"Core.Description#Q": "…"`, `"Core.Description@Core.IsLanguage…": true`.
    mutating func annotations(_ object: CSDLJSONObject) -> [EdmAnnotation] {
        var annotations: [EdmAnnotation] = []
        checkBesides(object)
        for member in object.members where member.name != "type" && member.name != "odata.type" {
            let term = names.path(member.name)
            guard !term.isEmpty else {
                note("An annotation has no term.", at: member.offset)
                continue
            }
            guard !annotations.contains(where: { $0.term == term }) else {
                note("\(term) is applied twice.", at: member.offset)
                continue
            }
            let value = value(member.node, hint: object.hint(of: member.name))
            let own = self.annotations(object.annotations(of: member.name))
            annotations.append(EdmAnnotation(term: term, value: value, annotations: own))
        }
        return annotations
    }

    /// - Parameter hint: The type that is beside the value.
    private mutating func value(_ node: JSONNode, hint: String?) -> EdmAnnotation.Value {
        switch node.content {
        case .null: return .null
        case .boolean(let flag): return .bool(flag)
        case .number(let digits):
            let hinted = hint.flatMap { CSDLConstant.value(digits, type: names.typeName($0)) }
            return hinted ?? CSDLConstant.naturalNumber(digits) ?? .string(digits)
        case .string(let text):
            return hint.flatMap { CSDLConstant.value(text, type: names.typeName($0)) } ?? .string(text)
        case .array(let elements):
            let hint = hint.flatMap(CSDLNames.element)
            return .collection(elements.map { value($0, hint: hint) })
        case .object:
            guard let object = CSDLJSONObject(node) else { return .null }
            return expression(object) ?? .record(record(object))
        }
    }

    private mutating func record(_ object: CSDLJSONObject) -> EdmAnnotation.Record {
        var record = EdmAnnotation.Record(
            type: object.hint(of: "").map { names.qualified($0) }, members: [], annotations: annotations(of: object))
        checkStrays(of: object)
        for member in object.members {
            guard !member.name.isEmpty else {
                note("A value of a record has no name.", at: member.offset)
                continue
            }
            guard !member.name.hasPrefix("$") else {
                note("\(member.name) is not known.", at: member.offset)
                continue
            }
            guard record[member.name] == nil else {
                note("The record has \(member.name) twice.", at: member.offset)
                continue
            }
            record.members.append(
                .init(
                    name: member.name, value: value(member.node, hint: object.hint(of: member.name)),
                    annotations: annotations(object.annotations(of: member.name))))
        }
        return record
    }

    /// `{"$Path": "Address/City"}`, `{"$If": […]}`; nil for a record.
    private mutating func expression(_ object: CSDLJSONObject) -> EdmAnnotation.Value? {
        for member in object.members where member.name.hasPrefix("$") {
            let name = String(member.name.dropFirst())
            if let kind = EdmAnnotation.PathKind(rawValue: name) {
                checkParts(of: object, member, allowed: [], isAnnotated: false)
                if member.node.string == nil {
                    note("\(member.name) does not have a value of its kind.", at: member.offset)
                }
                return .path(kind, names.path(member.node.string ?? ""))
            }
            if let kind = EdmAnnotation.Expression.Kind(rawValue: name) { return expression(kind, member, object) }
            if let value = draft(name, member.node) {
                checkParts(of: object, member, allowed: [], isAnnotated: false)
                return value
            }
        }
        return nil
    }

    private mutating func expression(
        _ kind: EdmAnnotation.Expression.Kind, _ member: JSONNode.Member, _ object: CSDLJSONObject
    ) -> EdmAnnotation.Value {
        let node = member.node
        var expression = EdmAnnotation.Expression(kind, annotations: annotations(of: object))
        var allowed: Set<String> = kind.isTyped ? Self.typeMembers : []
        if let name = kind.nameAttribute { allowed.insert("$\(name)") }
        checkParts(of: object, member, allowed: allowed, isAnnotated: kind != .labeledElementReference)
        switch kind {
        case .null:
            if expression.annotations.isEmpty { return .null }
        case .labeledElementReference: expression.name = names.path(node.string ?? "")
        case _ where kind.isUnary: expression.operands = [value(node, hint: nil)]
        default: expression.operands = node.elements?.map { value($0, hint: nil) } ?? [value(node, hint: nil)]
        }
        if kind == .labeledElement { expression.name = object.string("$Name") }
        if kind == .apply { expression.name = object.string("$Function").map { names.path($0) } }
        if kind.isTyped { readType(of: &expression, object) }
        for problem in expression.problems { note(problem, at: object.offset) }
        if kind == .cast, case .number(let digits) = node.content, let type = expression.type {
            if let value = CSDLConstant.value(digits, type: type), expression.facets == EdmFacets() { return value }
        }
        return expression.simplified(names)
    }

    private static let typeMembers: Set<String> = [
        "$Type", "$Collection", "$MaxLength", "$Precision", "$Scale", "$Unicode", "$SRID",
    ]

    private mutating func readType(of expression: inout EdmAnnotation.Expression, _ object: CSDLJSONObject) {
        guard let type = object.string("$Type") else {
            if facets(object) != EdmFacets() {
                note("\(expression.kind.rawValue) has facets without a type, which are left out.", at: object.offset)
            }
            return
        }
        let text = object.flag("$Collection") ? "Collection(\(type))" : type
        if CSDLNames.isNested(text) {
            note("\(expression.kind.rawValue) is of \(CSDLNames.nestedCollection).", at: object.offset)
        }
        expression.type = names.typeName(text)
        expression.facets = facets(object)
    }

    /// Reports what an expression has that the model has no place for: members besides `main` and those `allowed`, and
    /// annotations where it cannot have them.
    private mutating func checkParts(
        of object: CSDLJSONObject, _ main: JSONNode.Member, allowed: Set<String>, isAnnotated: Bool
    ) {
        for member in object.members where member.name != main.name {
            if allowed.contains(member.name) {
                checkKnown(member)
            } else {
                note("\(member.name) is not known in \(main.name).", at: member.offset)
            }
        }
        if !isAnnotated, !object.annotations().members.isEmpty {
            note("\(main.name) cannot be annotated.", at: object.offset)
        }
    }

    /// Forms of the drafts: `{"$EnumMember": "Red"}`, `{"$Date": "2000-01-01"}`.
    private func draft(_ name: String, _ node: JSONNode) -> EdmAnnotation.Value? {
        guard let text = node.string else { return nil }
        if name == "EnumMember" { return .string(text) }
        return EdmPrimitiveType(rawValue: name).flatMap { CSDLConstant.value(text, type: $0.rawValue) }
    }
}
