import Testing

@Suite("The names of the other SDKs")
struct SourceNamesTests {
    @Test("Each stands on its page, in a table or under what is missing", arguments: SourceNames.all)
    func stands(_ source: SourceNames) throws {
        let code = try Documents.sections(of: source.document).flatMap(\.codeOfSource)
        for name in source.names {
            #expect(ComparisonSection.shows(name, in: code), "\(source.page) does not tell of \(name)")
        }
        #expect(Set(source.names).count == source.names.count, "\(source.page) has names twice")
    }

    @Test("Each page has names")
    func pages() throws {
        #expect(try Documents.comparisons() == SourceNames.all.map(\.document).sorted())
        #expect(SourceNames.all.allSatisfy { !$0.names.isEmpty })
    }

    @Test("Names are found in the column of the source and under what is missing, and nowhere else")
    func places() {
        let row = ComparisonSection.Row(cells: ["`open(_:)`, `Queue.count`", "`close`", "`clear`"], place: "")
        let table = ComparisonSection(heading: "### A table", rows: [row], text: ["`isOpen`"])
        #expect(table.codeOfSource == ["open(_:)", "Queue.count"])
        #expect(ComparisonSection.shows("open", in: table.codeOfSource))
        #expect(!ComparisonSection.shows("ope", in: table.codeOfSource))
        let missing = ComparisonSection(heading: ComparisonSection.missing, text: ["- `isOpen`, and", "  `version`."])
        #expect(missing.codeOfSource == ["isOpen", "version"])
    }
}
