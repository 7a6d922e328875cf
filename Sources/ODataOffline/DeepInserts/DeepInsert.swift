import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// The requests of a unit as one: which entity is nested in which. A value.
struct DeepInsert: Sendable {
    /// An entity below another one.
    struct Member: Sendable {
        var navigation: EdmNavigationProperty
        var targetSet: EdmEntitySet
        /// In the list of requests.
        var place: Int
        /// The columns by which the outer entity refers to it, and those by which it refers to the outer one.
        var outerColumns: [String]
        var innerColumns: [String]
    }

    /// The place of the outermost entity in the list of requests.
    let outermost: Int
    /// By the place of an entity, what is nested in it.
    var members: [Int: [Member]] = [:]
}

/// Finds out how the requests of a unit are nested in each other: by links, bindings and foreign keys.
struct DeepInsertReader {
    let db: Database
    let offline: OfflineModel
    let records: [QueueRecord]
    private let bodies: [EntityPayload]

    /// Nil for what cannot be one request.
    init?(_ records: [QueueRecord], db: Database, offline: OfflineModel) throws {
        (self.db, self.offline, self.records) = (db, offline, records)
        guard records.outermost != nil, records.allSatisfy({ $0.operation == .create }) else { return nil }
        let bodies = try RequestLine.ifFit {
            try records.map { try RequestLine.read($0.body ?? .init(), of: offline.set(named: $0.set), offline) }
        }
        guard let bodies else { return nil }
        self.bodies = bodies
    }

    /// - Returns: Nil if an entity belongs to none of the others, or names another one besides: one request cannot say so.
    func read() throws -> DeepInsert? {
        guard let outermost = records.outermost else { return nil }
        var deep = DeepInsert(outermost: outermost)
        var left = records.indices.filter { $0 != outermost }
        var open = [outermost]
        while !open.isEmpty {
            let outer = open.removeFirst()
            let members = try members(of: outer, among: left)
            deep.members[outer] = members
            let found = members.map(\.place)
            left.removeAll(where: found.contains)
            open += found
        }
        return left.isEmpty ? deep : nil
    }

    private func members(of outer: Int, among left: [Int]) throws -> [DeepInsert.Member] {
        let set = try offline.set(named: records[outer].set)
        let type = RequestLine(db: db, offline: offline).entityType(of: bodies[outer], in: set)
        var found: [DeepInsert.Member] = []
        for navigation in type.navigationProperties {
            guard let storage = offline.schema.storage(of: set.name, navigation.name, as: type),
                let target = offline.model.entitySet(named: storage.targetSet)
            else { continue }
            for place in left where records[place].set == target.name {
                guard !found.contains(where: { $0.place == place }),
                    navigation.isCollection || !found.contains(where: { $0.navigation.name == navigation.name }),
                    try leads(navigation, storage, from: outer, to: place)
                else { continue }
                var member = DeepInsert.Member(
                    navigation: navigation, targetSet: target, place: place, outerColumns: [], innerColumns: [])
                switch storage {
                case .columns(let pairs, _, true): member.outerColumns = pairs.map(\.source)
                case .columns(let pairs, _, false): member.innerColumns = pairs.map(\.target)
                case .link: break
                }
                found.append(member)
            }
        }
        return found
    }

    private func leads(
        _ navigation: EdmNavigationProperty, _ storage: LocalNavigation, from outer: Int, to inner: Int
    ) throws -> Bool {
        if let parent = records[inner].parent {
            guard case .link = storage, let property = records[inner].property else { return false }
            return parent.row == records[outer].row && BoundNavigation.plainName(of: property) == navigation.name
        }
        switch storage {
        case .columns(let pairs, _, true):
            return try pairs.allSatisfy { try isSame(sent($0.source, by: outer), value(of: $0.target, of: inner)) }
        case .columns(let pairs, _, false):
            return try pairs.allSatisfy { try isSame(sent($0.target, by: inner), value(of: $0.source, of: outer)) }
        case .link:
            let references = bodies[outer].bindings.filter { $0.navigation == navigation.name }.flatMap(\.references)
            return try references.contains { try row(of: $0) == records[inner].row }
        }
    }

    private func isSame(_ own: EdmValue?, _ other: EdmValue?) -> Bool {
        guard let own, own != .null else { return false }
        return own == other
    }

    private func sent(_ column: String, by place: Int) throws -> EdmValue? {
        let table = try offline.schema.table(named: records[place].set)
        return table.columns.first { $0.name == column }.flatMap { bodies[place].properties[$0.property.name] }
    }

    private func value(of column: String, of place: Int) throws -> EdmValue? {
        let table = try offline.schema.table(named: records[place].set)
        guard let column = table.columns.first(where: { $0.name == column }),
            let stored = try RowLookup(db: db, table: table).stored([column.name], of: records[place].row)?.first
        else { return nil }
        return column.value(of: stored)
    }

    /// The row that a reference names, if it is here.
    func row(of reference: EntityReference) throws -> Int64? {
        guard case .path(let path) = try RequestLine(db: db, offline: offline).resolved(reference),
            let (table, key) = offline.schema.tableAndKey(of: path), try db.hasTable(table.name)
        else { return nil }
        return try RowLookup(db: db, table: table).id(of: key)
    }
}

extension RequestWriter {
    /// The requests of a unit as one; nil for what cannot be said so.
    func deepInsert(_ records: [QueueRecord]) throws -> (request: ChangeRequest, deep: DeepInsert)? {
        guard let reader = try DeepInsertReader(records, db: db, offline: offline), let deep = try reader.read(),
            let payload = try payload(of: deep.outermost, in: deep, reader)
        else { return nil }
        let record = records[deep.outermost]
        let line = RequestLine(db: db, offline: offline)
        var request = ChangeRequest(try line.path(of: record), .create(payload))
        request.returnPreference = .representation
        request.headers = record.headers
        identify(&request, record)
        return (request, deep)
    }

    /// - Returns: Nil if it names an entity of the unit that it is not nested in, or that is not nested in it.
    private func payload(of place: Int, in deep: DeepInsert, _ reader: DeepInsertReader) throws -> EntityPayload? {
        let record = reader.records[place]
        var payload = try payload(of: record, RequestLine(db: db, offline: offline))
        let members = deep.members[place] ?? []
        let own = deep.members.values.joined().first { $0.place == place }
        let table = try offline.schema.table(named: record.set)
        for name in members.flatMap(\.outerColumns) + (own?.innerColumns ?? []) {
            table.columns.first { $0.name == name }.map { payload.properties[$0.property.name] = nil }
        }
        try unbind(members, in: &payload, reader)
        guard try !names(payload, of: record, reader) else { return nil }
        for member in members {
            guard let inner = try self.payload(of: member.place, in: deep, reader) else { return nil }
            payload.nest(inner, in: member.navigation.name)
        }
        return payload
    }

    /// Takes the links away that the nested entities make.
    private func unbind(
        _ members: [DeepInsert.Member], in payload: inout EntityPayload, _ reader: DeepInsertReader
    ) throws {
        for index in payload.bindings.indices {
            let rows = members.filter { $0.navigation.name == payload.bindings[index].navigation }
                .map { reader.records[$0.place].row }
            guard !rows.isEmpty else { continue }
            payload.bindings[index].references = try payload.bindings[index].references.filter {
                try reader.row(of: $0).map { !rows.contains($0) } ?? true
            }
        }
        payload.bindings.removeAll { binding in
            binding.references.isEmpty && members.contains { $0.navigation.name == binding.navigation }
        }
    }

    /// Whether the payload refers to an entity of the unit.
    private func names(_ payload: EntityPayload, of record: QueueRecord, _ reader: DeepInsertReader) throws -> Bool {
        let line = RequestLine(db: db, offline: offline)
        let set = try offline.set(named: record.set)
        let type = line.entityType(of: payload, in: set)
        var references = payload.bindings.flatMap(\.references)
        for navigation in type.navigationProperties where !navigation.constraints.isEmpty {
            guard let target = line.target(of: navigation, from: set, as: type),
                let key = line.key(of: target, by: navigation, in: payload)
            else { continue }
            references.append(.path(ResourcePath(target, key: key)))
        }
        let rows = Set(reader.records.map(\.row))
        return try references.contains { try reader.row(of: $0).map(rows.contains) ?? false }
    }
}

extension EntityPayload {
    fileprivate mutating func nest(_ entity: EntityPayload, in navigation: String) {
        guard let index = nested.firstIndex(where: { $0.navigation == navigation }) else {
            return nested.append(Nested(navigation: navigation, entities: [entity]))
        }
        nested[index].entities.append(entity)
    }
}
