import HTTPTypes
import ODataTransport
import Testing

@testable import ODataService

@Suite("Prefer")
struct PreferencesTests {
    private func preferences(_ text: String) -> Preferences { Preferences([.prefer: text]) }

    @Test(
        "gives the page size, with and without odata.",
        arguments: [
            ("odata.maxpagesize=50", 50), ("maxpagesize=7", 7), ("return=minimal, odata.maxpagesize=3", 3),
            ("odata.maxpagesize=0", nil), ("odata.maxpagesize=x", nil), ("odata.maxpagesize", nil), ("", nil),
            ("maxpagesize=5, odata.maxpagesize=9", 5), ("maxpagesize=\"6\"", 6),
        ] as [(String, Int?)])
    func pageSize(text: String, expected: Int?) {
        #expect(preferences(text).maxPageSize == expected)
    }

    @Test("tells what was wished for in the client's spelling")
    func applied() {
        let sent = preferences("return=minimal; x=1, odata.maxpagesize=50, odata.track-changes, Continue-On-Error=true")
        #expect(sent.returns == .minimal)
        #expect(sent.tracksChanges)
        #expect(sent.continuesOnError == true)
        #expect(
            sent.applied(["maxpagesize", "track-changes", "callback"]) == "odata.maxpagesize=50, odata.track-changes")
        #expect(sent.applied(["callback"]) == nil)
    }

    @Test("quotes what is not a token, and annotations always")
    func quoted() {
        let sent = preferences(#"include-annotations="*", callback="a \"b\"", return=minimal"#)
        #expect(
            sent.applied(["include-annotations", "callback", "return"])
                == #"include-annotations="*", callback="a \"b\"", return=minimal"#)
    }

    @Test("says whether to continue on error, or does not")
    func continuing() {
        #expect(preferences("continue-on-error=false").continuesOnError == false)
        #expect(preferences("odata.continue-on-error").continuesOnError == true)
        #expect(preferences("continue-on-error=x").continuesOnError == nil)
        #expect(preferences("return=everything").returns == nil)
    }
}
