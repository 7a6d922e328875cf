import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Finds entities that a creation may have made, and compares navigation properties.
extension Probe {
    /// The entities that have the values sent, compared only in ways that every service supports, without those that
    /// the store has for another reason. Nil if no value that was sent is distinguishing, or if there are too many
    /// entities.
    ///
    /// `Orders?$filter=Note eq 'new' and Customer/CustomerID eq 'A'&$top=1001`
    func candidates(
        _ payload: EntityPayload, in set: EdmEntitySet, _ path: ResourcePath, _ record: QueueRecord
    ) async throws -> [EdmEntity]? {
        guard let table = offline.schema.tables[record.set], let condition = condition(payload, set) else {
            return nil
        }
        var query = BoundQuery(path: path)
        query.options.filter = condition
        query.options.top = Self.most + 1
        let found = try await remote.entities(query)
        return found.count <= Self.most ? try await unknown(found, table, record) : nil
    }

    /// The entities that the store does not have for another reason than the request.
    func unknown(_ entities: [EdmEntity], _ table: LocalTable, _ record: QueueRecord) async throws -> [EdmEntity] {
        try await database.reading { db in
            try entities.filter { entity in
                guard let key = entity.key, let id = try RowLookup(db: db, table: table).id(of: key) else {
                    return true
                }
                // It was downloaded before, or another request has created it.
                return try id > max(record.row, record.known?.row ?? 0) && !Self.isMadeHere(id, in: db)
            }
        }
    }

    /// Finds a media entity by its content among the entities that the store does not have; reads at most a few
    /// streams.
    func finding(onMediaCreationIn set: EdmEntitySet, _ path: ResourcePath, _ record: QueueRecord) async throws
        -> Finding
    {
        guard let table = offline.schema.tables[record.set], let digest = record.digest else { return .nothing([]) }
        var query = BoundQuery(path: path)
        query.options.top = Self.most + 1
        let found = try await remote.entities(query)
        let unknown = try await unknown(found, table, record)
        guard found.count <= Self.most, unknown.count <= Self.mostStreams else { return .nothing([]) }
        let length = try await length(of: digest)
        var same: [(entity: EdmEntity, path: ResourcePath)] = []
        for entity in unknown {
            guard let key = entity.key else { return .nothing(unknown) }
            let path = ResourcePath(set, key: key)
            if try await stream(at: path, has: digest, length: length).isSame { same.append((entity, path)) }
        }
        guard let made = same.first else { return .notExecuted(isProof: true) }
        guard same.count == 1, let key = made.entity.key, try await isNew(key, in: set, record) else {
            return .nothing(same.map(\.entity))
        }
        let result = ChangeResult(.created, entity: made.entity, path: made.path, etag: made.entity.etag)
        return .executed(result, isProof: true)
    }

    /// The store never forgets temporary keys.
    static func isMadeHere(_ row: Int64, in db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: #"SELECT 1 FROM \#(.alias) WHERE "row" = ? LIMIT 1"#, arguments: [row]) != nil
    }

    private func condition(_ payload: EntityPayload, _ set: EdmEntitySet) -> QueryExpression? {
        let values = payload.properties.members.filter { $0.value.isComparable }
        let type = type(of: payload, in: set)
        let bindings = payload.bindings.flatMap { related(by: $0, type, set) }
        guard !bindings.isEmpty || values.contains(where: { !$0.value.isNull }) else { return nil }
        let equal = values.compactMap { member in
            set.type.property(named: member.name).map { Self.equal([.property($0)], member.value, $0.type, of: set) }
        }
        return (equal + bindings).reduce(nil) { all, next in all.map { .binary(.and, $0, next) } ?? next }
    }

    private func type(of payload: EntityPayload, in set: EdmEntitySet) -> EdmStructuredType {
        payload.type.flatMap { offline.model.structuredType(named: $0) } ?? set.type
    }

    /// `Customer/CustomerID eq 'A'`
    private func related(by binding: EntityPayload.Binding, _ type: EdmStructuredType, _ set: EdmEntitySet)
        -> [QueryExpression]
    {
        guard let navigation = type.navigationProperty(named: binding.navigation), !navigation.isCollection,
            let target = offline.model.target(of: navigation), let reference = binding.references.first,
            let key = key(of: reference)
        else { return [] }
        let step = PropertyPath.Step.navigation(
            navigation, offline.model.targetSet(of: navigation, from: set, as: type), target)
        let steps = type.name == set.type.name ? [step] : [.cast(type), step]
        return key.components.compactMap { component in
            target.property(named: component.name).map {
                Self.equal(steps + [.property($0)], component.value, $0.type, of: set)
            }
        }
    }

    static func equal(
        _ steps: [PropertyPath.Step], _ value: EdmValue, _ type: EdmTypeReference, of set: EdmEntitySet
    ) -> QueryExpression {
        let path = PropertyPath(variableSet: set, variableType: set.type, steps: steps)
        return .binary(.eq, .path(path), .literal(value, value.isNull ? nil : type))
    }

    /// Whether the navigation properties lead to the entities that were sent; nil if that is unknown.
    func isBound(_ payload: EntityPayload, at path: ResourcePath) async throws -> Bool? {
        guard let set = path.entitySet else { return payload.bindings.isEmpty ? true : nil }
        var isKnown = true
        let type = type(of: payload, in: set)
        let owner = type.name == set.type.name ? path : path.appending(.cast(type))
        for binding in payload.bindings {
            guard let navigation = type.navigationProperty(named: binding.navigation) else { return nil }
            let target = owner.appending(
                .navigation(navigation, offline.model.targetSet(of: navigation, from: set, as: type)))
            guard !binding.references.isEmpty else {
                if try await isLinked(nil, at: target) == true { return false }
                continue
            }
            for reference in binding.references {
                switch try await isLinked(reference, at: target) {
                case true?: break
                case false?: return false
                case nil: isKnown = false
                }
            }
        }
        return isKnown ? true : nil
    }

    /// Whether the navigation property leads to the entity, or, if that is nil, to any entity; nil if that is unknown.
    ///
    /// `Orders(1)/Tags(5)`, `Orders(1)/Customer`
    func isLinked(_ reference: EntityReference?, at path: ResourcePath) async throws -> Bool? {
        guard let reference else { return try await found(path) != nil }
        guard let key = key(of: reference) else { return nil }
        guard path.target == .collection else { return try await found(path)?.key == key }
        return try await found(path.appending(.key(key))) != nil
    }

    private func key(of reference: EntityReference) -> EntityKey? {
        let path: ResourcePath?
        switch reference {
        case .path(let known): path = known
        case .url(let url): path = try? offline.parser.entityPath(id: url, serviceRoot: nil)
        }
        guard let path, case .entitySet = path.root, path.segments.count == 1, case .key(let key)? = path.segments.first
        else { return nil }
        return key
    }
}

extension EdmValue {
    /// Whether `eq` with the value finds it at every service. Services may round times with fractions of seconds.
    var isComparable: Bool {
        switch self {
        case .double, .binary, .complex, .collection, .geo: false
        case .dateTimeOffset(let value): value.time.picosecond == 0
        case .timeOfDay(let value): value.picosecond == 0
        case .duration(let value): value.picoseconds == 0
        default: true
        }
    }
}
