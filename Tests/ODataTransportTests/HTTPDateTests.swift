import ODataTransport
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ])
    func aDateIsReadAndWritten(text: String, seconds: Int) {
        #expect(HTTPDate.seconds(text) == Int64(seconds))
        #expect(HTTPDate.text(Int64(seconds)) == text)
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 99999999999 08:49:37 GMT",
    ])
    func whatIsNoDateIsNone(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
