import Foundation
import OData
import Testing

@Suite("Values of Foundation")
struct FoundationTests {
    @Test(
        "instants, to the microsecond",
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"), (0.1, "1970-01-01T00:00:00.1Z"), (-0.25, "1969-12-31T23:59:59.75Z"),
            (1_700_000_000.123456, "2023-11-14T22:13:20.123456Z"), (1.9999999, "1970-01-01T00:00:02Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (-1e15, "0001-01-01T00:00:00Z"),
            (.infinity, "9999-12-31T23:59:59.999999Z"), (1e12, "9999-12-31T23:59:59.999999Z"),
        ])
    func instants(seconds: Double, text: String) throws {
        let value = EdmDateTimeOffset(Date(timeIntervalSince1970: seconds))
        #expect("\(value)" == text)
        #expect(EdmDateTimeOffset(Date(value)) == value || value.date.year == 9999)
    }

    @Test("instants with fewer digits, and with an offset")
    func digits() throws {
        let date = Date(timeIntervalSince1970: 1.6789)
        #expect("\(EdmDateTimeOffset(date, fractionalDigits: 2))" == "1970-01-01T00:00:01.68Z")
        #expect("\(EdmDateTimeOffset(date, fractionalDigits: 0))" == "1970-01-01T00:00:02Z")
        let east = try #require(EdmDateTimeOffset("1970-01-01T02:00:01.5+02:00"))
        #expect(Date(east).timeIntervalSince1970 == 1.5)
    }

    @Test("days")
    func days() throws {
        let date = Date(timeIntervalSince1970: 86_400 - 1800)
        let east = try #require(TimeZone(secondsFromGMT: 3600))
        #expect(EdmDate(date, in: .gmt) == EdmDate("1970-01-01"))
        #expect(EdmDate(date, in: east) == EdmDate("1970-01-02"))
        let day = try #require(EdmDate("2024-02-29"))
        #expect(DateComponents(day) == DateComponents(year: 2024, month: 2, day: 29))
    }

    @Test("GUIDs")
    func guids() throws {
        let text = "01234567-89ab-cdef-fedc-ba9876543210"
        let (uuid, guid) = (try #require(UUID(uuidString: text)), try #require(EdmGuid(text)))
        #expect(EdmGuid(uuid) == guid && UUID(guid) == uuid)
    }

    @Test("decimals, with all digits", arguments: ["0", "-12.5", "0.001", "12345678901234567890123456789012345678"])
    func decimals(text: String) throws {
        let value = try #require(EdmDecimal(text))
        let decimal = try #require(Decimal(value))
        #expect(EdmDecimal(decimal) == value)
    }

    @Test("decimals that are none of the other type")
    func unfit() {
        #expect(EdmDecimal("0.1234567890123456789012345678901234567890123").flatMap { Decimal($0) } == nil)
        #expect(EdmDecimal("1e300").flatMap { Decimal($0) } == nil)
        #expect(EdmDecimal(Decimal.nan) == nil)
    }

    @Test("a literal with a fraction is the decimal that it says")
    func literals() {
        for (value, text) in [(9.99, "9.99"), (-0.1, "-0.1"), (123_456_789.012345, "123456789.012345")]
            as [(EdmDecimal, String)]
        { #expect(value == EdmDecimal(text)) }
    }

    @Test(
        "durations",
        arguments: [
            (Duration.seconds(90), "PT1M30S"), (.milliseconds(1500), "PT1.5S"), (.milliseconds(-1500), "-PT1.5S"),
            (.nanoseconds(-1), "-PT0.000000001S"), (.zero, "PT0S"),
        ])
    func durations(duration: Duration, text: String) {
        let value = EdmDuration(duration)
        #expect("\(value)" == text && Duration(value) == duration)
    }

    @Test("less than a picosecond is rounded down")
    func roundedDown() {
        #expect(EdmDuration(Duration(secondsComponent: 0, attosecondsComponent: 1_999_999)).picoseconds == 1)
        let below = EdmDuration(Duration(secondsComponent: 0, attosecondsComponent: -1))
        #expect(below == EdmDuration(seconds: -1, picoseconds: 999_999_999_999))
    }

    @Test("conditions")
    func conditions() throws {
        let path = FieldPath.root
        let (at, id): (QueryOperand<EdmDateTimeOffset>, QueryOperand<EdmGuid>) = (
            path.property("At"), path.property("ID")
        )
        let took: QueryOperand<EdmDuration> = path.property("Took")
        let date = Date(timeIntervalSince1970: 0)
        let uuid = try #require(UUID(uuidString: "01234567-89ab-cdef-fedc-ba9876543210"))
        for (condition, text) in [
            (at > date, "At gt 1970-01-01T00:00:00Z"), (at == date, "At eq 1970-01-01T00:00:00Z"),
            (id == uuid, "ID eq 01234567-89ab-cdef-fedc-ba9876543210"),
            (id.isIn([uuid]), "ID in (01234567-89ab-cdef-fedc-ba9876543210)"),
            (took <= Duration.seconds(5), "Took le duration'PT5S'"),
        ] { #expect(condition.text == text) }
    }
}
