import ODataModel

extension EdmAnnotation: Coded {
    static var blank: EdmAnnotation { EdmAnnotation(term: "") }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&term)
        try coder.code(&value)
        try coder.nested { try $0.code(&annotations) }
    }
}

extension EdmAnnotation.Value: Coded {
    static var blank: EdmAnnotation.Value { .null }

    private var tag: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int: 2
        case .string: 3
        case .constant: 4
        case .enumMember: 5
        case .path: 6
        case .collection: 7
        case .record: 8
        case .expression: 9
        }
    }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.nested { try codeContent(with: &$0) }
    }

    private mutating func codeContent(with coder: inout ModelCoder) throws {
        switch try coder.code(tag: tag) {
        case 0: self = .null
        case 1:
            var value = bool ?? false
            try coder.code(&value)
            self = .bool(value)
        case 2:
            var value: Int64 = if case .int(let number) = self { number } else { 0 }
            try coder.code(&value)
            self = .int(value)
        case 3:
            var text = string ?? ""
            try coder.code(&text)
            self = .string(text)
        case 4:
            var (type, text): (EdmPrimitiveType, String) =
                if case .constant(let type, let text) = self { (type, text) } else { (.string, "") }
            try coder.code(&type)
            try coder.code(&text)
            self = .constant(type, text)
        case 5:
            var (type, members): (EdmQualifiedName, [String]) =
                if case .enumMember(let type, let names) = self { (type, names) } else { (.blank, []) }
            try coder.code(&type)
            try coder.code(&members)
            self = .enumMember(type, members)
        case 6:
            var (kind, text): (EdmAnnotation.PathKind, String) =
                if case .path(let kind, let text) = self { (kind, text) } else { (.value, "") }
            try coder.code(&kind)
            try coder.code(&text)
            self = .path(kind, text)
        case 7:
            var values = elements ?? []
            try coder.code(&values)
            self = .collection(values)
        case 8:
            var value = record ?? .blank
            try coder.code(&value)
            self = .record(value)
        case 9:
            var value: EdmAnnotation.Expression = if case .expression(let known) = self { known } else { .blank }
            try coder.code(&value)
            self = .expression(value)
        default: throw ModelCoder.Damage()
        }
    }
}

extension EdmAnnotation.Record: Coded {
    static var blank: EdmAnnotation.Record { EdmAnnotation.Record(members: []) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&type)
        try coder.code(&members)
        try coder.code(&annotations)
    }
}

extension EdmAnnotation.Record.Member: Coded {
    static var blank: EdmAnnotation.Record.Member { EdmAnnotation.Record.Member(name: "", value: .null) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&name)
        try coder.code(&value)
        try coder.code(&annotations)
    }
}

extension EdmAnnotation.Expression: Coded {
    static var blank: EdmAnnotation.Expression { EdmAnnotation.Expression(.null) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&kind)
        try coder.code(&operands)
        try coder.code(&name)
        try coder.code(&type)
        try coder.code(&facets)
        try coder.code(&annotations)
    }
}

extension EdmTargetedAnnotations: Coded {
    static var blank: EdmTargetedAnnotations { EdmTargetedAnnotations(target: "", annotations: []) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&target)
        try coder.code(&annotations)
    }
}
