import ODataTransport
import Testing

@Suite struct AbsoluteURLTests {
    @Test(arguments: [
        ("http://h", "http://h/"),
        ("HTTPS://Host:8443/a/b?c=d", "https://Host:8443/a/b?c=d"),
        ("http://h?x", "http://h/?x"),
        ("http://h/a#fragment", "http://h/a"),
        ("http://user:secret@h/a", "http://h/a"),
        ("http://[::1]:80/a", "http://[::1]:80/a"), ("http://h:65535/", "http://h:65535/"),
        ("http://h:/", "http://h:/"),
        ("http://h/a b/ü?q='x y'", "http://h/a%20b/%C3%BC?q='x%20y'"),
        ("http://h/a/../b/./c/..", "http://h/b/"),
        ("http://h/a%20b?q='50% off'&r=%4&s=%fF%", "http://h/a%20b?q='50%25%20off'&r=%254&s=%fF%25"),
    ])
    func anAbsoluteURLIsRead(text: String, expected: String) {
        #expect(AbsoluteURL(text)?.description == expected)
    }

    @Test(arguments: [
        "", "Products", "/root", "ftp://h/", "http:///a", "http://", "http:h", "http://:80/", "http://h /a",
        "http://h/\r\nX: y", "http://127.0.0.1:99999/", "http://h:65536", "http://h:0/", "http://h:-1/", "http://h:8a/",
        "http://h:80:80/", "http://[::1]:107137/",
    ])
    func whatCannotBeRequestedIsNone(text: String) {
        #expect(AbsoluteURL(text) == nil)
    }

    /// [RFC 3986, section 5.4]
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d?q"),
        ("g#s", "http://a/b/c/g"), ("", "http://a/b/c/d?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("https://x/y", "https://x/y"), ("Products?$skiptoken='a:b'", "http://a/b/c/Products?$skiptoken='a:b'"),
        ("Orders('a:b')/Items", "http://a/b/c/Orders('a:b')/Items"),
    ])
    func aReferenceIsResolved(reference: String, expected: String) throws {
        let base = try #require(AbsoluteURL("http://a/b/c/d?q"))
        #expect(base.resolving(reference)?.description == expected)
    }

    @Test(arguments: [
        ("http://H/a", "http://h:80"), ("https://h", "https://h:443"), ("http://h:81/", "http://h:81"),
        ("http://[::1]/", "http://[::1]:80"), ("http://[::1]:8080/", "http://[::1]:8080"),
    ])
    func anOriginHasItsPort(url: String, origin: String) {
        #expect(AbsoluteURL(url)?.origin == origin)
    }
}
