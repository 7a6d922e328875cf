import ODataModel
import ODataQuery
import ODataStores

extension ConformanceSession {
    /// A change of the resource at `url`, as it would be requested.
    func change(
        _ url: String, _ operation: ChangeRequest.Operation, ifMatch: String? = nil
    ) async throws -> ChangeResult {
        var request = ChangeRequest(try parser.path(url), operation)
        request.ifMatch = ifMatch
        return try await store.change(request)
    }

    func update(_ url: String, _ draft: EntityDraft, ifMatch: String? = nil) async throws {
        _ = try await change(url, .update(payload(draft, at: url)), ifMatch: ifMatch)
    }

    /// Creates an entity in the collection at `url`; gives the URL of the new one.
    func create(_ url: String, _ draft: EntityDraft) async throws -> String {
        let result = try await change(url, .create(payload(draft, at: url)))
        guard result.outcome == .created else {
            throw ConformanceFailure(expected: "created", found: "\(result.outcome)")
        }
        return try self.url(of: result)
    }

    /// The URL of what was created or changed.
    func url(of result: ChangeResult) throws -> String {
        if let path = result.path { return path.url }
        guard let id = result.entityID ?? result.entity?.id else {
            throw ConformanceFailure(expected: "the path or the id of the entity", found: "neither")
        }
        return try path(ofID: id).url
    }

    /// The path that an id leads to, be it absolute or relative to the service root.
    func path(ofID id: String) throws -> ResourcePath {
        var rest = id[(id.firstRange(of: "://")?.upperBound ?? id.startIndex)...]
        while true {
            if let path = try? parser.path(String(rest)) { return path }
            guard let slash = rest.firstIndex(of: "/") else {
                throw ConformanceFailure(expected: "an id that is a path of the service", found: id)
            }
            rest = rest[rest.index(after: slash)...]
        }
    }

    /// The body of a create or update of what is at `url`.
    func payload(_ draft: EntityDraft, at url: String) throws -> EntityPayload {
        guard let type = try parser.path(url).entityType(in: model) else {
            throw ConformanceFailure(expected: "a path to entities", found: url)
        }
        return payload(draft, of: type)
    }

    private func payload(_ draft: EntityDraft, of type: EdmStructuredType) -> EntityPayload {
        let members = draft.properties.map { name, literal in
            EdmComplexValue.Member(name: name, value: literal.value(as: type.property(named: name)?.type))
        }
        let bindings = draft.bindings.map { name, ids in
            EntityPayload.Binding(navigation: name, references: ids.map(reference))
        }
        let nested = draft.nested.map { name, drafts in
            let target = type.navigationProperty(named: name).flatMap { model.target(of: $0) } ?? type
            return EntityPayload.Nested(navigation: name, entities: drafts.map { payload($0, of: target) })
        }
        return EntityPayload(EdmComplexValue(members), bindings: bindings, nested: nested)
    }

    /// `Categories(1)`; `$1` for what another request of the change set makes.
    func reference(_ id: String) -> EntityReference {
        (try? parser.path(id)).map(EntityReference.path) ?? .url(id)
    }
}

/// An entity to be, in short.
struct EntityDraft: Sendable, ExpressibleByDictionaryLiteral {
    var properties: [(String, Literal)] = []
    var bindings: [(String, [String])] = []
    var nested: [(String, [EntityDraft])] = []

    init(dictionaryLiteral elements: (String, Literal)...) {
        properties = elements
    }

    /// With `Category@odata.bind`; empty: the reference is removed.
    func bound(_ navigation: String, to ids: String...) -> EntityDraft {
        var copy = self
        copy.bindings.append((navigation, ids))
        return copy
    }

    func with(_ navigation: String, _ drafts: EntityDraft...) -> EntityDraft {
        var copy = self
        copy.nested.append((navigation, drafts))
        return copy
    }
}

/// A value in the form that is shortest to write.
enum Literal: Sendable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral
{
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case null

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(nilLiteral: ()) { self = .null }

    /// Text is the lexical form of the property's type, where it is one.
    func value(as type: EdmTypeReference?) -> EdmValue {
        switch self {
        case .text(let text): type.flatMap { EdmValue(lexical: text, type: $0) } ?? .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let value): .boolean(value)
        case .null: .null
        }
    }
}
