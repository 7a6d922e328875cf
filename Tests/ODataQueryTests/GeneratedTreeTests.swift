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
    func printsForVersion2MeanTheSame(seed: UInt64) throws {
        let reader = QueryParser(model: LanguageModel.model, conventions: .version2)
        var maker = try people(seed: seed, isVersion2: true)
        for _ in 0..<100 {
            let query = maker.query()
            let written = try query.version2URL()
            #expect(try reader.query(written) == query, "\(written)")
        }
    }

    private func people(seed: UInt64, isVersion2: Bool = false) throws -> TreeMaker {
        let set = try #require(LanguageModel.model.entitySet(named: "People"))
        let names = TreeMaker.Names(
            text: "Name", number: "Age", selectable: ["Age", "Home", "Name", "Tags"], one: "Boss", many: "Reports",
            derived: EdmQualifiedName(namespace: "Sales.Model", name: "Manager"), keys: -50..<50)
        return TreeMaker(seed: seed, set: set, names: names, isVersion2: isVersion2)
    }
}
