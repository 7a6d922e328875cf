import ODataModel
import ODataQuery
import ODataStores
import TestSupport
import Testing

/// Queries made at random are executed by SQLite, or refused as what is wrong with them or not supported.
@Suite struct GeneratedQueryTests {
    /// What is there, what is not there, and what the store says it cannot do.
    private static let refusals: Set<ODataError.Code> = [.badRequest, .notFound, .notImplemented]

    private static let names = TreeMaker.Names(
        text: "Name", number: "Legs", selectable: ["Legs", "Home", "Name", "Tags"], one: "Friend", many: "Friends",
        derived: EdmQualifiedName("Zoo.Dog"), keys: 1..<5)

    @Test("Queries made at random", arguments: 0..<10)
    func queriesAreExecutedOrRefused(seed: UInt64) async throws {
        let zoo = try MenagerieDatabase(isIndexed: seed.isMultiple(of: 2))
        let set = try #require(MenagerieModel.model?.entitySet(named: "Animals"))
        var maker = TreeMaker(seed: seed, set: set, names: Self.names)
        var responses = 0
        for _ in 0..<50 {
            let url = maker.query().url
            do {
                _ = try await zoo.keys(url)
                responses += 1
            } catch let error as ODataError {
                #expect(Self.refusals.contains(error.code) && !error.message.isEmpty, "\(url): \(error)")
            } catch {
                Issue.record("\(url): \(error)")
            }
        }
        #expect(responses > 0)
    }
}
