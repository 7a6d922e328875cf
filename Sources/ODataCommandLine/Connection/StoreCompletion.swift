import ArgumentParser
import Foundation
import OData

/// What a shell offers for the words of a command on a store: names that the store knows. A store that cannot be read,
/// or that has not been named yet, has none; nothing is printed then, for the shell would show it.
enum StoreCompletion {
    static let sets = CompletionKind.custom { words, _, _ in
        await names(words) { store in try await store.model().entitySets.map(\.name).sorted() }
    }

    static let queries = CompletionKind.custom { words, _, _ in
        await names(words) { store in try await store.queries.map(\.name) }
    }

    /// The ids of requests in the queue.
    static let requests = CompletionKind.custom { words, _, _ in
        await names(words) { store in try await store.queueEntries().map { "\($0.id)" } }
    }

    /// The ids of requests whose responses were lost.
    static let unconfirmed = CompletionKind.custom { words, _, _ in
        await names(words) { store in
            try await store.queueEntries().filter { $0.state == .unconfirmed }.map { "\($0.id)" }
        }
    }

    /// The ids of entries of the error archive.
    static let errors = CompletionKind.custom { words, _, _ in
        await names(words) { store in try await store.errorEntries().map { "\($0.id)" } }
    }

    /// The ids that conflicts are named by.
    static let conflicts = CompletionKind.custom { words, _, _ in
        await names(words) { store in try await store.conflicts().compactMap { $0.requests.first.map { "\($0.id)" } } }
    }

    private static func names(
        _ words: [String], _ body: (OfflineStore) async throws -> [String]
    ) async -> [String] {
        guard let folder = words.first(where: isStore) else { return [] }
        let options = ["--key-file", "--media-folder", "--media-key-file"].flatMap { name in
            value(of: name, in: words).map { [name, $0] } ?? []
        }
        guard let store = try? StoreFolderArgument.named(folder, options: options) else { return [] }
        return (try? await StoreSession.reading(store, body)) ?? []
    }

    static func isStore(_ word: String) -> Bool {
        do { _ = try StoreSettings.readIfThere(from: word) } catch { return false }
        return true
    }

    private static func value(of option: String, in words: [String]) -> String? {
        words.firstIndex(of: option).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }
}
