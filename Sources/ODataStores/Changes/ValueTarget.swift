import ODataModel
import ODataQuery

/// The place of a value in the property of an entity that a path leads to: `Address/City`, `Tags/0`.
struct ValueTarget {
    enum Step {
        case member(EdmProperty)
        case index(Int)
    }

    let property: EdmProperty
    private(set) var steps: [Step] = []
    /// Whether the path leads through members of collections or derived types.
    private(set) var isIndirect = false

    /// Nil for a path that does not lead to a property.
    init?(_ path: ResourcePath) {
        var found: EdmProperty?
        for segment in path.segments {
            switch segment {
            case .property(let next):
                if found != nil { steps.append(.member(next)) }
                found = found ?? next
            case .index(let index) where found != nil:
                steps.append(.index(index))
                isIndirect = true
            case .cast where found != nil: isIndirect = true
            case .navigation, .key, .operation:
                if found != nil { return nil }
            default: break
            }
        }
        guard let found else { return nil }
        property = found
    }

    /// The value at the place as a property.
    var leaf: EdmProperty {
        steps.reduce(property) { container, step in
            switch step {
            case .member(let member): return member
            case .index:
                guard case .collection(let element) = container.type else { return container }
                var member = container
                member.type = element
                return member
            }
        }
    }

    /// `Address/City`, as messages name the place.
    var path: String {
        steps.reduce(property.name) { path, step in
            switch step {
            case .member(let member): "\(path)/\(member.name)"
            case .index(let index): "\(path)/\(index)"
            }
        }
    }

    /// `{"City":"Metz"}` for the value of `Address/City`: the whole property as an update names it.
    func wrapping(_ value: EdmValue) -> EdmValue {
        steps.reversed().reduce(value) { value, step in
            guard case .member(let member) = step else { return value }
            return .complex(EdmComplexValue([.init(name: member.name, value: value)]))
        }
    }

    /// The whole property with the value at the place changed.
    func replacing(_ whole: EdmValue, _ make: (EdmValue) throws -> EdmValue) throws -> EdmValue {
        try Self.replacing(whole, steps[...], make)
    }

    private static func replacing(_ value: EdmValue, _ steps: ArraySlice<Step>, _ make: (EdmValue) throws -> EdmValue)
        throws
        -> EdmValue
    {
        guard let step = steps.first else { return try make(value) }
        switch step {
        case .member(let property):
            var complex: EdmComplexValue = if case .complex(let known) = value { known } else { EdmComplexValue() }
            complex[property.name] = try replacing(complex[property.name] ?? .null, steps.dropFirst(), make)
            return .complex(complex)
        case .index(let index):
            guard case .collection(var members) = value else { throw missing(index) }
            let position = index < 0 ? members.count + index : index
            guard members.indices.contains(position) else { throw missing(index) }
            members[position] = try replacing(members[position], steps.dropFirst(), make)
            return .collection(members)
        }
    }

    /// The whole property without the member at the place.
    func removing(_ whole: EdmValue) throws -> EdmValue {
        guard case .index(let index)? = steps.last else { return try replacing(whole) { _ in .null } }
        return try Self.replacing(whole, steps.dropLast()) { value in
            guard case .collection(var members) = value else { throw Self.missing(index) }
            let position = index < 0 ? members.count + index : index
            guard members.indices.contains(position) else { throw Self.missing(index) }
            members.remove(at: position)
            return .collection(members)
        }
    }

    private static func missing(_ index: Int) -> ODataError { ODataError(.notFound, "There is no member \(index).") }
}
