import ODataModel
import Testing

@Suite struct ValueTests {
    @Test(arguments: [
        ("0", "0"), ("-0.00", "0"), ("12.50", "12.5"), (".5", "0.5"), ("1.2e-3", "0.0012"), ("1e3", "1000"),
        ("-79228162514264337593543950335", "-79228162514264337593543950335"),
        ("123456789012345678.901234567890123456", "123456789012345678.901234567890123456"),
    ])
    func decimalsKeepEveryDigit(text: String, expected: String) {
        #expect(EdmDecimal(text)?.description == expected)
    }

    @Test(arguments: ["", "-", "1.", "1e", "1e99999", "0x1", "1 ", "NaN", "1.2.3"])
    func textThatIsNoDecimalIsRefused(text: String) {
        #expect(EdmDecimal(text) == nil)
    }

    @Test func decimalsOrderByValue() {
        let sorted = ["-10", "-9.99", "-0.001", "0", "0.001", "0.01", "9.99", "10", "100.5"]
        #expect(sorted.shuffled().compactMap { EdmDecimal($0) }.sorted().map(\.description) == sorted)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200), ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
            ("Sat, 01 Mar 0200 00:00:00 GMT", -55_850_688_000),
        ] as [(String, Int64)])
    func datesOfHTTPRoundTrip(text: String, seconds: Int64) {
        #expect(EdmDateTimeOffset(httpDate: text)?.secondsSinceEpoch == seconds)
        let value = EdmDateTimeOffset(secondsSinceEpoch: seconds, picosecond: 5, offsetMinutes: 90)
        #expect(value.httpDate == text)
    }

    @Test(arguments: [
        "", "1994-11-06", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun, 06 Nov 9223372036854775807 08:49:37 GMT",
    ])
    func textThatIsNoDateOfHTTPIsRefused(text: String) {
        #expect(EdmDateTimeOffset(httpDate: text) == nil)
    }

    @Test(arguments: [
        "1970-01-01", "2000-02-29", "1900-02-28", "0000-12-31", "-0044-03-15", "9999-12-31", "12345-01-01",
    ])
    func datesRoundTripThroughTextAndDays(text: String) throws {
        let date = try #require(EdmDate(text))
        #expect(date.description == text)
        #expect(EdmDate(daysSinceEpoch: date.daysSinceEpoch) == date)
    }

    @Test(arguments: ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "24-01-01", "2024-1-1", "2024-01-01T"])
    func textThatIsNoDateIsRefused(text: String) {
        #expect(EdmDate(text) == nil)
    }

    @Test(arguments: [
        ("2024-01-02T03:04:05Z", "2024-01-02T03:04:05Z", 1_704_164_645),
        ("2024-01-02T03:04:05.678+01:00", "2024-01-02T03:04:05.678+01:00", 1_704_161_045),
        ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z", -1),
        ("2024-01-02 03:04z", "2024-01-02T03:04:00Z", 1_704_164_640),
        ("2024-01-02T03:04:05-00:30", "2024-01-02T03:04:05-00:30", 1_704_166_445),
    ])
    func instantsRoundTrip(text: String, expected: String, seconds: Int64) throws {
        let value = try #require(EdmDateTimeOffset(text))
        #expect(value.description == expected)
        #expect(value.secondsSinceEpoch == seconds)
        #expect(EdmDateTimeOffset(secondsSinceEpoch: seconds).secondsSinceEpoch == seconds)
    }

    @Test func instantsFarAwayKeepTheirSeconds() {
        for seconds in [Int64(-62_167_219_200), -1, 0, 253_402_300_799, 9_007_199_254_740_993] {
            #expect(EdmDateTimeOffset(secondsSinceEpoch: seconds).secondsSinceEpoch == seconds)
        }
        #expect(EdmDateTimeOffset(secondsSinceEpoch: .max, offsetMinutes: 60).offsetMinutes == 60)
    }

    @Test func instantsOrderWhateverTheirOffset() throws {
        let early = try #require(EdmDateTimeOffset("2024-01-01T12:00:00+02:00"))
        let late = try #require(EdmDateTimeOffset("2024-01-01T11:00:00Z"))
        #expect(early < late)
    }

    @Test(arguments: [
        ("PT0S", "PT0S"), ("P1DT2H3M4.5S", "P1DT2H3M4.5S"), ("-PT0.5S", "-PT0.5S"), ("PT90M", "PT1H30M"),
        ("P2D", "P2D"), ("PT24H", "P1D"), ("-P1DT1S", "-P1DT1S"), ("PT0.000000000001S", "PT0.000000000001S"),
    ])
    func durationsRoundTrip(text: String, expected: String) {
        #expect(EdmDuration(text)?.description == expected)
    }

    @Test(arguments: [
        "", "P", "PT", "P1DT", "1D", "P1H", "PT1D", "PT1S1M", "PT1.5M", "P1D2D", "PT5", "P106751991167301D",
        "P106751991167300DT999999999999999H",
    ])
    func textThatIsNoDurationIsRefused(text: String) {
        #expect(EdmDuration(text) == nil)
    }

    @Test(arguments: [("07:59", "07:59:00"), ("23:59:59.999", "23:59:59.999"), ("00:00:00.5000", "00:00:00.5")])
    func timesRoundTrip(text: String, expected: String) {
        #expect(EdmTimeOfDay(text)?.description == expected)
    }

    @Test func guidsAreLowerCaseText() {
        let guid = EdmGuid("01234567-89AB-cdef-0123-456789ABCDEF")
        #expect(guid?.description == "01234567-89ab-cdef-0123-456789abcdef")
        #expect(EdmGuid("0123456789abcdef0123456789abcdef") == nil)
        #expect(EdmGuid("01234567-89ab-cdef-0123-456789abcdef0") == nil)
    }

    @Test(arguments: [[], [0], [0, 1], [0xFB, 0xFF, 0xFE], Array(0...255)] as [[UInt8]])
    func binaryRoundTripsAsBase64URL(bytes: [UInt8]) {
        let text = EdmValue.base64URL(bytes)
        #expect(!text.contains("+") && !text.contains("/") && !text.contains("="))
        #expect(EdmValue.bytes(base64: text) == bytes)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0.0"), (1.5, "1.5"), (-20, "-20"), (0.1, "0.1"), (1e22, "1e+22"),
        (.leastNonzeroMagnitude, "5e-324"),
        (9_007_199_254_740_992, "9007199254740992.0"), (.infinity, "INF"), (-.infinity, "-INF"),
    ])
    func doublesRoundTripThroughText(value: Double, expected: String) {
        #expect(EdmValue.double(value).lexical == expected)
        #expect(EdmValue(lexical: expected, type: .double) == .double(value))
    }

    @Test(arguments: [
        (EdmPrimitiveType.byte, "256"), (.sByte, "-129"), (.int16, "32768"), (.int32, "x"),
        (.int64, "9223372036854775808"),
        (.boolean, "True"), (.double, "0x10"), (.double, "nan"), (.date, "today"), (.guid, ""), (.stream, "x"),
        (.binary, "a"),
    ])
    func textThatIsNoValueIsRefused(type: EdmPrimitiveType, text: String) {
        #expect(EdmValue(lexical: text, type: .primitive(type)) == nil)
    }

    @Test func rowsKeepTheirValues() throws {
        let model = try ValueJSONTests.model()
        let values: [(EdmTypeReference, EdmValue?)] = [
            (.string, .string("a")), (.string, .null), (.string, nil), (.int64, .integer(.min)),
            (.decimal, EdmDecimal("1.50").map(EdmValue.decimal)), (.double, .double(-0.5)), (.boolean, .boolean(true)),
            (.primitive(.binary), .binary([1, 2])), (.primitive(.date), EdmDate("2024-02-29").map(EdmValue.date)),
            (.complex(ValueJSONTests.address), .complex(["City": .string("x")])),
            (.collection(.int32), .collection([.integer(1)])),
        ]
        let properties = values.enumerated().map { EdmProperty(name: "P\($0)", type: $1.0) }
        let type = EdmStructuredType(
            declaration: .init(name: EdmQualifiedName("M.T"), key: ["P0"], properties: properties))
        let shape = RowShape(model: model, entitySet: nil, type: type)
        var block = RowBlock()
        block.rows.append(RowHeader())
        for (_, value) in values { block.append(value) }
        for (slot, value) in values.enumerated() {
            #expect(block.value(row: 0, slot: slot, shape: shape) == value.1)
        }
        #expect(block.key(row: 0, shape: shape) == EntityKey("P0", .string("a")))
    }
}
