import ODataModel
import ODataQuery
import TestSupport
import Testing

/// Trees made at random are printed, and the print is read as the same tree.
struct GeneratedTreeTests {
    @Test(arguments: 0..<20)
    func printsMeanTheSame(seed: UInt64) throws {
        var maker = try people(seed: seed)
        for _ in 0..<100 {
            let query = maker.query()
            #expect(try LanguageModel.parser.query(query.url) == query, "\(query.url)")
        }
    }

    @Test(arguments: 0..<20)
    func legacyURLsMeanTheSame(seed: UInt64) throws {
        let reader = QueryParser(model: LanguageModel.model, conventions: .legacy)
        var maker = try people(seed: seed, isLegacy: true)
        for _ in 0..<100 {
            let query = maker.query()
            let written = try query.legacyURL()
            #expect(try reader.query(written) == query, "\(written)")
        }
    }

    private func people(seed: UInt64, isLegacy: Bool = false) throws -> TreeMaker {
        let set = try #require(LanguageModel.model.entitySet(named: "People"))
        let names = TreeMaker.Names(
            text: "Name", number: "Age", selectable: ["Age", "Home", "Name", "Tags"], one: "Boss", many: "Reports",
            derived: EdmQualifiedName(namespace: "Sales.Model", name: "Manager"), keys: -50..<50)
        return TreeMaker(seed: seed, set: set, names: names, isLegacy: isLegacy)
    }
}
