import Testing

@testable import ODataService

@Suite("Service root")
struct ServiceRootTests {
    @Test(
        "is taken off a request's path",
        arguments: [
            ("http://h/", "/Products?$top=1", "Products?$top=1"),
            ("http://h/", "/", ""),
            ("http://h:80/x/y/", "/x/y/Products", "Products"),
            ("http://h/x/", "/x", ""),
            ("http://h/x/", "/x?$format=json", "?$format=json"),
            ("http://h/x/", "/xy", nil),
            ("http://h/x/", "/Products", nil),
            ("http://h/x", "/x/Products", "Products"),
        ] as [(String, String, String?)])
    func paths(root: String, path: String, expected: String?) {
        #expect(ServiceRoot(root).relative(path: path) == expected)
    }

    @Test(
        "is taken off the URLs in a batch",
        arguments: [
            ("http://h/x/Products", "Products"), ("/x/Products", "Products"),
            ("Products(1)?$select=a", "Products(1)?$select=a"),
            ("http://other/x/Products", nil), ("/y/Products", nil),
            ("Things?$filter=Url eq 'http://h/'", "Things?$filter=Url eq 'http://h/'"),
        ] as [(String, String?)])
    func references(reference: String, expected: String?) {
        #expect(ServiceRoot("http://h/x/").relative(reference: reference) == expected)
    }

    @Test("makes relative links absolute")
    func absolute() {
        let root = ServiceRoot("http://h/x/")
        #expect(root.absolute("Products?$skiptoken=5") == "http://h/x/Products?$skiptoken=5")
        #expect(root.absolute("https://other/Products") == "https://other/Products")
        #expect(root.absolute("A?$filter=B eq 'http://c'") == "http://h/x/A?$filter=B eq 'http://c'")
    }

    @Test("leaves URLs without the options that the service reads itself")
    func options() {
        let url = RequestURL("A(1)/B/$ref?$id=A%281%29&$format=json&x=y=z&%24top=1")
        #expect(url["$id"] == "A(1)")
        #expect(url["$format"] == "json")
        #expect(url["x"] == "y=z")
        #expect(url.text(without: ["$id", "$format"]) == "A(1)/B/$ref?x=y=z&$top=1")
        #expect(RequestURL("A").text(without: ["$id"]) == "A")
        #expect(PercentEncoding.decoded("%e4%bD%A0%2x%") == "你%2x%")
    }
}
