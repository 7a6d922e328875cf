import Foundation
import GRDB
import ODataStores

extension OfflineStore {
    /// Does `body`, which may ask the service, with what its responses have told before. What they tell now is kept.
    func learning<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard let service = remote as? any LearningStore else { return try await body() }
        let kept = try await database.reading { try StoreValues(db: $0).traits }
        service.learn(kept)
        do {
            let result = try await body()
            await keep(service.learnedTraits, besides: kept)
            return result
        } catch {
            await keep(service.learnedTraits, besides: kept)
            throw error
        }
    }

    /// What was done is done, whether this can be written or not: the responses will tell it again.
    private func keep(_ traits: LearnedTraits, besides kept: LearnedTraits) async {
        guard traits != kept else { return }
        try? await database.writingDurably { db in try StoreValues(db: db).setTraits(traits) }
    }
}

extension StoreValues {
    /// What the service's responses have told; nothing where it cannot be read.
    var traits: LearnedTraits {
        get throws {
            let text = try text("traits")
            return text.flatMap { try? JSONDecoder().decode(LearnedTraits.self, from: Data($0.utf8)) }
                ?? LearnedTraits()
        }
    }

    func setTraits(_ traits: LearnedTraits) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try set("traits", String(decoding: try encoder.encode(traits), as: UTF8.self))
    }
}
