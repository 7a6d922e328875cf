import ODataModel
import ODataQuery
import ODataStores

/// Which of the entities in a response are those that were nested in the request.
extension DeepInsert {
    /// Whether an entity is shown with something at each navigation property that had nested entities.
    func isShown(in entity: EdmEntity, at place: Int) -> Bool {
        (members[place] ?? []).allSatisfy { member in
            let related = entity.related(member.navigation.name)
            return !related.isEmpty && related.allSatisfy { isShown(in: $0, at: member.place) }
        }
    }

    /// Whether the entity has nothing at any of them, though it was asked for.
    func isIgnored(in entity: EdmEntity) -> Bool {
        (members[outermost] ?? []).allSatisfy { member in
            entity.expanded[member.navigation.name] != nil && entity.related(member.navigation.name).isEmpty
        }
    }

    /// `$expand` of what was nested.
    func expansion(at place: Int, _ model: EdmModel) -> [ExpandItem] {
        var items: [ExpandItem] = []
        for member in members[place] ?? [] {
            let below = expansion(at: member.place, model)
            if let index = items.firstIndex(where: { $0.navigation == member.navigation }) {
                let known = items[index].options.expand.map(\.navigation)
                items[index].options.expand += below.filter { !known.contains($0.navigation) }
                continue
            }
            let type = model.target(of: member.navigation) ?? member.targetSet.type
            var item = ExpandItem(navigation: member.navigation, targetSet: member.targetSet, targetType: type)
            item.options.expand = below
            items.append(item)
        }
        return items
    }

    /// - Parameter payload: What was sent of the entity.
    func spread(_ entity: EdmEntity, _ payload: EntityPayload, at place: Int, into results: inout [ChangeResult?]) {
        for nested in payload.nested {
            let members = (self.members[place] ?? []).filter { $0.navigation.name == nested.navigation }
            let related = entity.related(nested.navigation)
            let places = EntityMatch(nested.entities, related).places
            for (member, (sent, found)) in zip(members, zip(nested.entities, places)) {
                guard let made = found.map({ related[$0] }), let key = made.key else { continue }
                results[member.place] = ChangeResult(
                    .created, entity: made, path: ResourcePath(member.targetSet, key: key), etag: made.etag)
                spread(made, sent, at: member.place, into: &results)
            }
        }
    }
}

extension EdmEntity {
    /// The entities that are expanded there.
    fileprivate func related(_ navigation: String) -> [EdmEntity] {
        switch expanded[navigation] {
        case .one(let entity)?: entity.map { [$0] } ?? []
        case .many(let entities, _)?: entities
        case nil: []
        }
    }
}

/// Finds for each of the payloads an entity that it has made: with the values sent, else with such as a service may make
/// of them, else in their order where there are as many. An entity belongs to one payload.
struct EntityMatch {
    /// For each payload the place of its entity.
    private(set) var places: [Int?]
    private let sent: [EntityPayload]
    private let entities: [EdmEntity]
    private var owners: [Int: Int] = [:]

    init(_ sent: [EntityPayload], _ entities: [EdmEntity]) {
        (self.sent, self.entities) = (sent, entities)
        places = Array(repeating: nil, count: sent.count)
        let isInOrder = sent.count == entities.count && zip(sent, entities).allSatisfy { Probe.has($1, $0) }
        guard !isInOrder else {
            places = Array(sent.indices)
            return
        }
        match { Probe.has($1, $0) }
        match { Probe.has($1, $0) || $1.properties.isAlike($0.properties) }
        let open = sent.indices.filter { places[$0] == nil }
        let free = entities.indices.filter { owners[$0] == nil }
        guard open.count == free.count else { return }
        for (payload, entity) in zip(open, free) { places[payload] = entity }
    }

    /// As many pairs as possible: a payload gives its entity to another one if it fits a free one.
    private mutating func match(_ fits: (EntityPayload, EdmEntity) -> Bool) {
        let choices = sent.map { payload in entities.indices.filter { fits(payload, entities[$0]) } }
        for payload in sent.indices where places[payload] == nil {
            var seen: Set<Int> = []
            _ = place(payload, choices, &seen)
        }
    }

    private mutating func place(_ payload: Int, _ choices: [[Int]], _ seen: inout Set<Int>) -> Bool {
        for entity in choices[payload] where seen.insert(entity).inserted {
            if let owner = owners[entity], !place(owner, choices, &seen) { continue }
            (owners[entity], places[payload]) = (payload, entity)
            return true
        }
        return false
    }
}
