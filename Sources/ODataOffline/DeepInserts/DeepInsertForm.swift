import GRDB
import ODataModel
import ODataStores

/// How an upload sends a deep insert: a new entity that was made here with others nested in it.
///
/// [OData-Protocol, section 11.4.2.2]
public enum DeepInsertForm: String, Sendable, CaseIterable {
    /// As one request, unless the metadata or an earlier response say that the service does not take it. Where they say
    /// nothing it is tried; a service that refuses it gets a change set instead, and one without batches gets parts. What
    /// was learned is kept by entity set.
    case automatic
    /// As one request with nested entities: the service makes all of them or none. What it refuses stays refused.
    case request
    /// As a change set with a request for each entity: the service makes all of them or none.
    case changeSet
    /// As a request for each entity: what is first is made even where what follows is refused.
    case parts
}

/// In which form the deep inserts into a set go, as far as the metadata, the app and earlier responses tell.
struct DeepInsertPolicy: Sendable {
    let choice: DeepInsertForm
    let model: EdmModel
    /// Batches fail as a whole, so that none is sent.
    let sendsSingly: Bool

    /// - Parameter learned: What earlier responses have shown about the set.
    func form(of set: EdmEntitySet, below navigations: [String], learned: DeepInsertForm?) -> DeepInsertForm {
        guard choice == .automatic else { return choice }
        let told: DeepInsertForm? = isTaken(by: set, below: navigations).map { $0 ? .request : .changeSet }
        let form = learned ?? told ?? .automatic
        return form == .changeSet ? fallback : form
    }

    /// - Parameters:
    ///   - unit: The requests of a deep insert that was not sent.
    ///   - place: That of its outermost entity.
    func form(
        of unit: [QueueRecord], at place: Int, _ db: Database, _ offline: OfflineModel
    ) throws -> DeepInsertForm {
        let set = try offline.set(named: unit[place].set)
        let deep = try DeepInsertReader(unit, db: db, offline: offline)?.read()
        let navigations = (deep?.members[place] ?? []).map(\.navigation.name)
        return form(of: set, below: navigations, learned: try StoreValues(db: db).deepInsertForm(of: set.name))
    }

    /// Takes the deep inserts apart that go as parts: before their order is planned.
    ///
    /// - Returns: Their sets, by the request of the outermost entity.
    func takeApart(_ db: Database, _ offline: OfflineModel) throws -> [Int64: String] {
        let queue = RequestQueue(db: db)
        var sets: [Int64: String] = [:]
        for number in try queue.deepInserts() {
            let unit = try queue.records(ofChangeSet: number)
            guard let place = unit.outermost, !unit.contains(where: \.state.mayBeExecuted),
                try form(of: unit, at: place, db, offline) == .parts
            else { continue }
            try queue.renumber(changeSet: number, to: nil)
            sets[unit[place].id] = unit[place].set
        }
        return sets
    }

    /// What takes the place of one request.
    var fallback: DeepInsertForm { sendsSingly || model.takesBatches == false ? .parts : .changeSet }

    /// What the metadata say; nil for nothing.
    ///
    /// [Capabilities vocabulary, terms InsertRestrictions and DeepInsertSupport]
    private func isTaken(by set: EdmEntitySet, below navigations: [String]) -> Bool? {
        let restrictions = set.annotation(EdmAnnotation.insertable)?.record
        let refused = restrictions?["NonInsertableNavigationProperties"]?.elements?.compactMap(\.path) ?? []
        guard Set(refused).isDisjoint(with: navigations) else { return false }
        let told = [
            restrictions?["DeepInsertSupport"], set.annotation(EdmAnnotation.deepInsert),
            model.containerAnnotation(EdmAnnotation.deepInsert),
        ]
        return told.lazy.compactMap { $0?.record }.first.map { $0["Supported"]?.bool ?? true }
    }
}

extension EdmModel {
    /// Whether the metadata say that the service takes batches; nil where they say nothing.
    fileprivate var takesBatches: Bool? {
        containerAnnotation(EdmAnnotation.batchSupport)?.record?["Supported"]?.bool
            ?? containerAnnotation(EdmAnnotation.batchSupported)?.bool
    }

    fileprivate func containerAnnotation(_ term: String) -> EdmAnnotation.Value? {
        schemas.lazy.flatMap(\.containerAnnotations).first { $0.term == term }?.value
    }
}
