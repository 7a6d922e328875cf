import Testing

@testable import ODataService

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
}
