import Testing

@Suite("The pages for those who come from another SDK")
struct ComparisonTests {
    @Test("Each row names calls here that the code of its section shows", arguments: try Documents.comparisons())
    func shown(_ document: String) throws {
        let sections = try Documents.sections(of: document).filter { !$0.rows.isEmpty }
        #expect(!sections.isEmpty, "\(document) has no tables")
        for section in sections {
            #expect(section.rows.first?.cells == ComparisonSection.header, "\(section.rows.first?.place ?? document)")
            for row in section.rows.dropFirst(2) {
                #expect(row.cells.count == 3 && !row.names(in: 0).isEmpty, "\(row.place): one call there, three cells")
                #expect(!row.names(in: 1).isEmpty, "\(row.place): no call here")
                for name in row.names(in: 1) { #expect(section.shows(name), "\(row.place): \(name) is not shown") }
            }
        }
    }

    @Test("Calls are told from text, and from parts of other names")
    func names() {
        let row = ComparisonSection.Row(
            cells: ["", "``OfflineStore/undo(_:force:)`` of `.everything`, `$filter=OfflineStore.isLocal()`"],
            place: "")
        #expect(row.names(in: 1) == ["undo", ".everything", "$filter=OfflineStore.isLocal"])
        let section = ComparisonSection(code: ["try await store.undoPlan(.everything)", "store.undo(plan)"])
        #expect(section.shows("undo") && section.shows(".everything"))
        #expect(!section.shows("Plan") && !section.shows("every"))
    }
}
