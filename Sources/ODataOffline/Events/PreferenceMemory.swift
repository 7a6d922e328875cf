import Foundation
import GRDB
import ODataStores

/// The preferences that the service refuses, kept for the life of the store: no request has to be refused again.
struct PreferenceMemory {
    private static let name = "refusedPreferences"

    let store: OfflineStore

    private var remote: (any PreferringStore)? { store.remote as? any PreferringStore }

    /// Lets requests go without what was refused in earlier runs.
    func recall() async throws {
        guard let remote else { return }
        remote.leaveOut(try await store.database.reading { try Self.kept(in: $0) })
    }

    /// Keeps what was refused since, and says it; nil if nothing was.
    func keep() async throws -> String? {
        guard let refused = remote?.refusedPreferences, !refused.isEmpty else { return nil }
        let new = try await store.database.writing { db in
            let kept = try Self.kept(in: db)
            let new = refused.subtracting(kept)
            guard !new.isEmpty else { return new }
            let all = Self.sorted(kept.union(new))
            let text = String(decoding: try JSONEncoder().encode(all), as: UTF8.self)
            try StoreValues(db: db).set(Self.name, text)
            return new
        }
        guard !new.isEmpty else { return nil }
        let places = Self.sorted(new).map { "\($0.name) at \($0.set)" }.joined(separator: ", ")
        return "The service refuses requests with the preference \(places): it is asked without from now on."
    }

    private static func kept(in db: Database) throws -> Set<RefusedPreference> {
        guard let text = try StoreValues(db: db).text(name) else { return [] }
        return try JSONDecoder().decode(Set<RefusedPreference>.self, from: Data(text.utf8))
    }

    private static func sorted(_ preferences: Set<RefusedPreference>) -> [RefusedPreference] {
        preferences.sorted { ($0.set, $0.name) < ($1.set, $1.name) }
    }
}
