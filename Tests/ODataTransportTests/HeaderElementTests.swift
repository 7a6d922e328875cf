import HTTPTypes
import ODataTransport
import Testing

@Suite("Header lists")
struct HeaderElementTests {
    @Test(
        "are split at commas and semicolons outside quotes",
        arguments: [
            ("a, b", ["a", "b"]),
            ("application/json;odata.metadata=full;q=0.5", ["application/json odata.metadata=full q=0.5"]),
            ("a;b=\"x,y;z\", c", ["a b=x,y;z", "c"]),
            ("a;b=\"x\\\"y\"", ["a b=x\"y"]),
            (" , a ,, b;; c = d ", ["a", "b c=d"]),
            ("", []),
            ("a;B", ["a b"]),
        ])
    func lists(text: String, expected: [String]) {
        let shown = HeaderElement.list(text).map { element in
            let parameters = element.parameters.map { parameter in
                parameter.value.map { "\(parameter.name)=\($0)" } ?? parameter.name
            }
            return ([element.value] + parameters).joined(separator: " ")
        }
        #expect(shown == expected)
    }

    private static let preferences: [(fields: [String], expected: [String])] = [
        (["return=minimal"], ["return=minimal"]),
        (["odata.maxpagesize=5, Respond-Async"], ["maxpagesize=5 (odata.maxpagesize)", "respond-async"]),
        (["OData.Track-Changes; x=1", "wait = 10"], ["track-changes (odata.track-changes)", "wait=10"]),
        ([#"include-annotations="a,-b""#, "a;;", ""], ["include-annotations=a,-b", "a"]),
        (["wait=1,wait=2"], ["wait=1", "wait=2"]),
        ([], []),
    ]

    @Test("Preferences have one name with and without odata., in both header fields", arguments: preferences)
    func names(fields: [String], expected: [String]) {
        for name in [HTTPField.Name.prefer, .preferenceApplied] {
            var headers = HTTPFields()
            headers[values: name] = fields
            let shown = headers.preferences(in: name).map { preference in
                let value = preference.value.map { "=\($0)" } ?? ""
                let spelling = preference.spelling == preference.name ? "" : " (\(preference.spelling))"
                return preference.name + value + spelling
            }
            #expect(shown == expected)
        }
    }
}
