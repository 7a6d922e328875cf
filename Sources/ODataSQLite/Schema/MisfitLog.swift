import ODataStores
import Synchronization

/// Notes values that other programs wrote after the file was looked at, and that are not of their property's type.
/// The store looks at the file again when there are any.
final class MisfitLog: Sendable {
    struct Place: Hashable, Sendable {
        var set: String
        var property: String
    }

    private struct State {
        var found: Set<Place> = []
        /// Places where another look changed nothing.
        var settled: Set<Place> = []
    }

    private let state: Mutex<State>

    init(settled: Set<Place> = []) {
        state = Mutex(State(settled: settled))
    }

    /// - Returns: Whether another look at the file may help.
    @discardableResult
    func note(_ property: String, of set: String) -> Bool {
        let place = Place(set: set, property: property)
        return state.withLock { state in
            guard !state.settled.contains(place) else { return false }
            state.found.insert(place)
            return true
        }
    }

    /// Whether another look at the file is to be taken.
    var isPending: Bool { state.withLock { !$0.found.isEmpty } }

    /// - Throws: ``ODataError`` `busy` if a value was noted: a response without it would be wrong.
    func check() throws {
        guard isPending else { return }
        var error = ODataError(
            .busy, "Another program has written values that are not of their property's type; read them again, as text."
        )
        error.retryAfter = 1
        throw error
    }

    /// What was noted since this was asked last.
    func take() -> Set<Place> {
        state.withLock { state in
            defer { state.found = [] }
            return state.found
        }
    }

    /// Notes again what was taken, for a later look.
    func restore(_ places: Set<Place>) {
        state.withLock { $0.found.formUnion(places) }
    }

    /// From now on these places are not noted.
    func settle(_ places: Set<Place>, besides others: MisfitLog) {
        let known = others.state.withLock { $0.settled }
        state.withLock { $0.settled.formUnion(places.union(known)) }
    }
}
