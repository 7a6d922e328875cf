import ODataModel

/// What a member of CSDL JSON may be.
private enum MemberForm {
    case text
    case flag
    /// A number that is not negative.
    case size
    case scale
    case numberOrText
    case object
    /// An object of strings.
    case texts
    /// An array of objects.
    case objects
    case array
    case strings
    /// Text, a number, true or false.
    case scalar

    func allows(_ node: JSONNode) -> Bool {
        switch self {
        case .text: node.string != nil
        case .flag: node.boolean != nil
        case .size: node.integer.map { $0 >= 0 } == true
        case .scale: (node.string ?? node.integer.map { "\($0)" }).flatMap { EdmProperty.Scale(csdl: $0) } != nil
        case .numberOrText: node.integer != nil || node.string != nil
        case .object: node.members != nil
        case .texts: node.members?.allSatisfy { $0.name.contains("@") || $0.node.string != nil } == true
        case .objects: node.elements?.allSatisfy { $0.members != nil } == true
        case .array: node.elements != nil
        case .strings: node.elements?.allSatisfy { $0.string != nil } == true
        case .scalar: node.literal != nil
        }
    }

    /// [OData-CSDLJSON, sections 4 to 14]
    static let all: [String: MemberForm] = [
        "$Version": .text, "$EntityContainer": .text, "$Reference": .object, "$Include": .objects,
        "$IncludeAnnotations": .objects, "$Namespace": .text, "$Alias": .text, "$TermNamespace": .text,
        "$TargetNamespace": .text, "$Qualifier": .text, "$Kind": .text, "$BaseType": .text, "$Abstract": .flag,
        "$OpenType": .flag, "$HasStream": .flag, "$Key": .array, "$Type": .text, "$Collection": .flag,
        "$Nullable": .flag, "$MaxLength": .size, "$Precision": .size, "$Scale": .scale,
        "$Unicode": .flag, "$SRID": .numberOrText, "$DefaultValue": .scalar, "$Partner": .text,
        "$ContainsTarget": .flag,
        "$ReferentialConstraint": .texts, "$OnDelete": .text, "$UnderlyingType": .text, "$IsFlags": .flag,
        "$IsBound": .flag, "$EntitySetPath": .text, "$IsComposable": .flag, "$Parameter": .objects, "$Name": .text,
        "$ReturnType": .object, "$BaseTerm": .text, "$AppliesTo": .strings, "$Extends": .text,
        "$IncludeInServiceDocument": .flag, "$NavigationPropertyBinding": .texts, "$Action": .text,
        "$Function": .text, "$EntitySet": .text, "$Annotations": .object,
    ]
}

extension CSDLJSONReader {
    /// Reports a declared container that is not the model's, which is the first.
    mutating func checkContainer(of root: CSDLJSONObject, in schemas: [EdmSchema]) {
        guard let member = root["$EntityContainer"], let text = member.string else { return }
        let name = names.qualified(text)
        guard names.containers.contains(name) else {
            return note("\(name), the $EntityContainer of the document, is not declared in it.", at: member.offset)
        }
        guard let first = schemas.first(where: { $0.container != nil }), let container = first.container else { return }
        let main = EdmQualifiedName(namespace: first.namespace, name: container)
        if main != name {
            note("\(name) is the $EntityContainer of the document, but \(main) is the first one.", at: member.offset)
        }
    }

    /// Reports what the document has that the model has no place for, besides values of annotations.
    mutating func checkForm(of root: JSONNode) {
        for member in root.members ?? [] where member.name.hasPrefix("@") {
            note("\(member.name) annotates the document, which has no place in a model.", at: member.offset)
        }
        checkMembers(of: root)
    }

    /// Members that are objects whose names are URLs and paths: `$` and `@` mean nothing there.
    private static let keyed: Set<String> = ["$Reference", "$Annotations"]

    private mutating func checkMembers(of object: JSONNode) {
        guard let members = object.members else { return }
        for member in members {
            if let at = member.name.firstIndex(of: "@") {
                checkTarget(String(member.name[..<at]), of: member, in: object)
            } else if member.name.hasPrefix("$") {
                checkKnown(member)
            }
            guard !member.name.contains("@"), member.name != "$DefaultValue" else { continue }
            if Self.keyed.contains(member.name) {
                for entry in member.node.members ?? [] { checkMembers(of: entry.node) }
                continue
            }
            checkMembers(of: member.node)
            for element in member.node.elements ?? [] {
                if element.members == nil, !member.name.hasPrefix("$") {
                    note("\(member.name) has an overload that is not an object.", at: element.offset)
                }
                checkMembers(of: element)
            }
        }
    }

    /// Whether the standard has a member of that name, wherever.
    func isStandard(_ name: String) -> Bool { MemberForm.all[name] != nil }

    /// Reports a member that the standard does not have, or not with such a value.
    mutating func checkKnown(_ member: JSONNode.Member) {
        guard let form = MemberForm.all[member.name] else {
            return note("\(member.name) is not known.", at: member.offset)
        }
        if !form.allows(member.node) { note("\(member.name) does not have a value of its kind.", at: member.offset) }
    }

    /// Members that are objects have their annotations inside; others are annotated beside their name.
    private mutating func checkTarget(_ name: String, of annotation: JSONNode.Member, in object: JSONNode) {
        guard !name.isEmpty else { return }
        let target = object[name]
        let isPlain = target.map { $0.members == nil && $0.elements == nil } ?? false
        if !isPlain || name.hasPrefix("$") && name != "$OnDelete" {
            note("\(annotation.name) annotates nothing that has a place in a model.", at: annotation.offset)
        }
    }
}
