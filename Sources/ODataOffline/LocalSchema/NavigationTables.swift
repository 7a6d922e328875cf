import ODataModel
import ODataSQLite
import Synchronization

/// How the navigation properties of all tables are stored. It is found out for a set when it is first asked for: a service
/// may have far more sets than a store holds.
final class NavigationTables: Sendable {
    private struct State {
        let resolver: NavigationResolver
        var storage: [String: [String: LocalNavigation]] = [:]
        var links: [String: [LinkTable]]?
    }

    private let state: Mutex<State>

    init(model: EdmModel, tables: [String: LocalTable]) {
        state = Mutex(State(resolver: NavigationResolver(model: model, places: tables.mapValues(\.place))))
    }

    /// Of the entities of `set`, by ``BoundNavigation/name``; nil if it has no table.
    func storage(of set: String) -> [String: LocalNavigation]? {
        state.withLock { Self.storage(of: set, &$0) }
    }

    /// Of all sets.
    var all: [String: [String: LocalNavigation]] { state.withLock { Self.all(&$0) } }

    /// The link tables that have rows of `set` at an end.
    func links(of set: String) -> [LinkTable] {
        state.withLock { state in
            let links = state.links ?? Self.links(in: Self.all(&state))
            state.links = links
            return links[set] ?? []
        }
    }

    private static func storage(of set: String, _ state: inout State) -> [String: LocalNavigation]? {
        if let known = state.storage[set] { return known }
        guard let place = state.resolver.places[set] else { return nil }
        let found = state.resolver.navigation(of: place).mapValues(\.storage)
        state.storage[set] = found
        return found
    }

    private static func all(_ state: inout State) -> [String: [String: LocalNavigation]] {
        for set in state.resolver.places.keys { _ = storage(of: set, &state) }
        return state.storage
    }

    private static func links(in navigation: [String: [String: LocalNavigation]]) -> [String: [LinkTable]] {
        var found: [String: Set<LinkTable>] = [:]
        for case .link(let table, _) in navigation.values.flatMap(\.values) {
            found[table.sourceSet, default: []].insert(table)
            found[table.targetSet, default: []].insert(table)
        }
        return found.mapValues { $0.sorted { $0.name < $1.name } }
    }
}
