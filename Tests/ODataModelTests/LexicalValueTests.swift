import ODataModel
import Testing

/// Text → value → text, for the values whose exactness a client relies on.
@Suite struct LexicalValueTests {
    static let exact: [(type: EdmPrimitiveType, text: String, expected: String)] = [
        (.decimal, "12345678901234567890123456789012345678.5", "12345678901234567890123456789012345678.5"),
        (.decimal, "-0.000000000000000000000000000000000001", "-0.000000000000000000000000000000000001"),
        (.decimal, "1e-9", "0.000000001"), (.decimal, "12.5E+2", "1250"), (.decimal, "1.10", "1.1"),
        (.date, "0000-01-01", "0000-01-01"), (.date, "-0001-12-31", "-0001-12-31"),
        (.date, "-12345-02-28", "-12345-02-28"),
        (.date, "0000-02-29", "0000-02-29"), (.date, "10000-01-01", "10000-01-01"),
        (
            .dateTimeOffset, "2000-01-01T16:00:00.123456789012-09:00", "2000-01-01T16:00:00.123456789012-09:00"
        ),
        (.dateTimeOffset, "-0044-03-15T12:00:00+01:30", "-0044-03-15T12:00:00+01:30"),
        (.dateTimeOffset, "2000-01-01T16:00Z", "2000-01-01T16:00:00Z"),
        (.dateTimeOffset, "2000-01-01T16:00:00+23:59", "2000-01-01T16:00:00+23:59"),
        (.timeOfDay, "23:59:59.999999999999", "23:59:59.999999999999"), (.timeOfDay, "00:00", "00:00:00"),
        (.duration, "P11DT23H59M59.999999999999S", "P11DT23H59M59.999999999999S"), (.duration, "-PT36H", "-P1DT12H"),
        (.int64, "-9223372036854775808", "-9223372036854775808"),
        (.int64, "9223372036854775807", "9223372036854775807"),
        (.double, "INF", "INF"), (.double, "-INF", "-INF"), (.double, "NaN", "NaN"), (.single, "1e-45", "1e-45"),
        (.single, "3.4028234e38", "3.4028234e+38"), (.double, "1e-400", "0"), (.double, "-1e308", "-1e+308"),
        (.double, "1.7976931348623157e308", "1.7976931348623157e+308"),
        (.guid, "21EC2020-3AEA-1069-A2DD-08002B30309D", "21ec2020-3aea-1069-a2dd-08002b30309d"),
        (.binary, "T0RhdGE", "T0RhdGE"), (.binary, "T0RhdGE=", "T0RhdGE"), (.binary, "+/8=", "-_8"),
    ]

    @Test(arguments: exact)
    func textIsKept(type: EdmPrimitiveType, text: String, expected: String) throws {
        let value = try #require(EdmValue(lexical: text, type: .primitive(type)))
        #expect(value.lexical == expected)
        #expect(EdmValue(lexical: value.lexical, type: .primitive(type))?.lexical == expected)
    }

    static let refused: [(type: EdmPrimitiveType, text: String)] = [
        (.date, "00000-01-01"), (.date, "0001-02-29"), (.date, "+2000-01-01"), (.date, "2000-1-01"),
        (.dateTimeOffset, "2000-01-01T16:00:00"), (.dateTimeOffset, "2000-01-01T24:00:00Z"),
        (.dateTimeOffset, "2000-01-01T16:00:00.1234567890123Z"), (.dateTimeOffset, "2000-01-01T16:00:61Z"),
        (.dateTimeOffset, "2000-01-01T16:00:00+24:00"), (.timeOfDay, "24:00:00"), (.timeOfDay, "12:60:00"),
        (.dateTimeOffset, "2016-12-31T23:59:60Z"), (.dateTimeOffset, "2016-12-31T23:59:60.5+01:00"),
        (.timeOfDay, "23:59:60"), (.timeOfDay, "23:59:60.5"), (.timeOfDay, "23:60"),
        (.timeOfDay, "1:00:00"), (.duration, "P1Y"), (.duration, "PT1.5H"), (.int64, "9223372036854775808"),
        (.double, "Infinity"), (.double, "1e309"), (.double, "-1e400"),
        (.double, "1" + String(repeating: "0", count: 400)), (.single, "1e39"), (.single, "-1e39"), (.decimal, "1,5"),
        (.guid, "{21EC2020-3AEA-1069-A2DD-08002B30309D}"),
        (.binary, "T0Rh*GE"), (.boolean, "1"),
    ]

    @Test(arguments: refused)
    func otherTextIsNoValue(type: EdmPrimitiveType, text: String) {
        #expect(EdmValue(lexical: text, type: .primitive(type)) == nil)
    }

    @Test func instantsAreEqualWhateverTheirOffsetOrders() throws {
        let east = try #require(EdmDateTimeOffset("2000-01-01T00:00:00.000000000001+05:30"))
        let west = try #require(EdmDateTimeOffset("1999-12-31T18:30:00.000000000001Z"))
        #expect(!(east < west) && !(west < east) && east != west)
        #expect(east.utc == west)
    }
}
