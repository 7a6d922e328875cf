import ODataStores
import Synchronization

/// Records values that other programs wrote after the file was scanned, and that are not of their property's type. The
/// store scans the file again if there are any.
final class MismatchedValueLog: Sendable {
    struct Place: Hashable, Sendable {
        var set: String
        var property: String
    }

    private struct State {
        var found: Set<Place> = []
        /// Places where another scan changed nothing.
        var settled: Set<Place> = []
    }

    private let state: Mutex<State>

    init(settled: Set<Place> = []) {
        state = Mutex(State(settled: settled))
    }

    /// - Returns: Whether another scan of the file may help.
    @discardableResult
    func note(_ property: String, of set: String) -> Bool {
        let place = Place(set: set, property: property)
        return state.withLock { state in
            guard !state.settled.contains(place) else { return false }
            state.found.insert(place)
            return true
        }
    }

    /// Whether the file is to be scanned again.
    var isPending: Bool { state.withLock { !$0.found.isEmpty } }

    /// - Throws: ``ODataError`` `busy` if a value was recorded: a response without it would be wrong.
    func check() throws {
        guard isPending else { return }
        var error = ODataError(
            .busy, "Another program has written values that are not of their property's type; read them again, as text."
        )
        error.retryAfter = 1
        throw error
    }

    /// Removes and returns the places that were recorded since the last call.
    func removeAll() -> Set<Place> {
        state.withLock { state in
            defer { state.found = [] }
            return state.found
        }
    }

    /// Records the places again, for a later scan.
    func restore(_ places: Set<Place>) {
        state.withLock { $0.found.formUnion(places) }
    }

    /// Stops recording these places.
    func settle(_ places: Set<Place>, besides others: MismatchedValueLog) {
        let known = others.state.withLock { $0.settled }
        state.withLock { $0.settled.formUnion(places.union(known)) }
    }
}
