import ODataModel

/// Where feed customisation puts a property in an entry.
///
/// [OData V2: Customizable Feeds]
enum AtomTarget: Hashable, Sendable {
    enum Person: Hashable, Sendable {
        case author
        case contributor
    }

    case tag(AtomName.Tag)
    case person(Person, AtomName.Tag)
    /// An element of a namespace of the service's own.
    case element(String)

    /// `SyndicationTitle`, `SyndicationAuthorName`, or a path such as `location/city`, of which the first step counts.
    init?(path: String) {
        guard path.hasPrefix("Syndication") else {
            guard let name = path.split(separator: "/").first, !name.hasPrefix("@") else { return nil }
            self = .element(String(name))
            return
        }
        switch path.dropFirst("Syndication".count) {
        case "Title": self = .tag(.title)
        case "Summary": self = .tag(.summary)
        case "Updated": self = .tag(.updated)
        case "Published": self = .tag(.published)
        case "Rights": self = .tag(.rights)
        case "AuthorName": self = .person(.author, .name)
        case "AuthorEmail": self = .person(.author, .email)
        case "AuthorUri": self = .person(.author, .uri)
        case "ContributorName": self = .person(.contributor, .name)
        case "ContributorEmail": self = .person(.contributor, .email)
        case "ContributorUri": self = .person(.contributor, .uri)
        default: return nil
        }
    }
}

/// The slots of a shape whose values may stand outside of the properties.
struct AtomTargets: Sendable {
    private var slots: [AtomTarget: Int] = [:]
    private(set) var hasPersons = false

    init(_ shape: RowShape) {
        for (slot, property) in shape.properties.enumerated() {
            guard let path = Self.path(in: property.annotations), let target = AtomTarget(path: path) else { continue }
            slots[target] = slot
        }
        for type in shape.types { add(type.annotations, shape: shape) }
        hasPersons = slots.keys.contains { if case .person = $0 { true } else { false } }
    }

    /// On entity types: `m:FC_TargetPath="…" m:FC_SourcePath="Name"`, further ones with `_1`, `_2`, … at the end.
    private mutating func add(_ annotations: [EdmAnnotation], shape: RowShape) {
        for annotation in annotations {
            guard annotation.term.contains("FC_TargetPath"), case .string(let path) = annotation.value else { continue }
            let source = annotation.term.replacing("FC_TargetPath", with: "FC_SourcePath")
            guard case .string(let name)? = annotations.first(where: { $0.term == source })?.value,
                let slot = shape.slot(of: name), let target = AtomTarget(path: path)
            else { continue }
            slots[target] = slot
        }
    }

    private static func path(in annotations: [EdmAnnotation]) -> String? {
        annotations.first { $0.term == EdmAnnotation.dataServices("FC_TargetPath") }?.value.string
    }

    func slot(_ tag: AtomName.Tag, _ name: String) -> Int? {
        guard !slots.isEmpty else { return nil }
        return slots[.tag(tag)] ?? (tag == .unknown ? slots[.element(name)] : nil)
    }

    func slot(_ tag: AtomName.Tag, of person: AtomTarget.Person) -> Int? { slots[.person(person, tag)] }
}
