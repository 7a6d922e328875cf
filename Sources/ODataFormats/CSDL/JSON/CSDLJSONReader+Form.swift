import ODataModel

/// What a member of CSDL JSON may be.
private enum MemberForm {
    case text
    case flag
    case number
    case numberOrText
    case object
    /// An object of strings.
    case texts
    /// An array of objects.
    case objects
    case array
    case any

    func allows(_ node: JSONNode) -> Bool {
        switch self {
        case .text: node.string != nil
        case .flag: node.boolean != nil
        case .number: node.integer != nil
        case .numberOrText: node.integer != nil || node.string != nil
        case .object: node.members != nil
        case .texts: node.members?.allSatisfy { $0.name.contains("@") || $0.node.string != nil } == true
        case .objects: node.elements?.allSatisfy { $0.members != nil } == true
        case .array: node.elements != nil
        case .any: true
        }
    }

    /// [OData-CSDLJSON, sections 4 to 14]
    static let all: [String: MemberForm] = [
        "$Version": .text, "$EntityContainer": .text, "$Reference": .object, "$Include": .objects,
        "$IncludeAnnotations": .objects, "$Namespace": .text, "$Alias": .text, "$TermNamespace": .text,
        "$TargetNamespace": .text, "$Qualifier": .text, "$Kind": .text, "$BaseType": .text, "$Abstract": .flag,
        "$OpenType": .flag, "$HasStream": .flag, "$Key": .array, "$Type": .text, "$Collection": .flag,
        "$Nullable": .flag, "$MaxLength": .number, "$Precision": .number, "$Scale": .numberOrText,
        "$Unicode": .flag, "$SRID": .numberOrText, "$DefaultValue": .any, "$Partner": .text, "$ContainsTarget": .flag,
        "$ReferentialConstraint": .texts, "$OnDelete": .text, "$UnderlyingType": .text, "$IsFlags": .flag,
        "$IsBound": .flag, "$EntitySetPath": .text, "$IsComposable": .flag, "$Parameter": .objects, "$Name": .text,
        "$ReturnType": .object, "$BaseTerm": .text, "$AppliesTo": .array, "$Extends": .text,
        "$IncludeInServiceDocument": .flag, "$NavigationPropertyBinding": .texts, "$Action": .text,
        "$Function": .text, "$EntitySet": .text, "$Annotations": .object,
    ]
}

extension CSDLJSONReader {
    /// Tells what the document has that the model has no place for, besides values of annotations.
    mutating func checkForm(of root: JSONNode) {
        for member in root.members ?? [] where member.name.hasPrefix("@") {
            note("\(member.name) annotates the document, which has no place in a model.", at: member.offset)
        }
        checkMembers(of: root)
    }

    private mutating func checkMembers(of object: JSONNode) {
        guard let members = object.members else { return }
        for member in members {
            if let at = member.name.firstIndex(of: "@") {
                checkTarget(String(member.name[..<at]), of: member, in: object)
            } else if member.name.hasPrefix("$") {
                checkKnown(member)
            }
            guard !member.name.contains("@"), member.name != "$DefaultValue" else { continue }
            checkMembers(of: member.node)
            for element in member.node.elements ?? [] {
                if element.members == nil, !member.name.hasPrefix("$") {
                    note("\(member.name) has an overload that is not an object.", at: element.offset)
                }
                checkMembers(of: element)
            }
        }
    }

    private mutating func checkKnown(_ member: JSONNode.Member) {
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
