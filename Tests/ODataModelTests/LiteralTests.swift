import ODataModel
import Testing

@Suite("Literals and text of values")
struct LiteralTests {
    @Test("A payload is written as Swift writes dictionaries")
    func payload() {
        let id = EdmGuid(high: 1, low: 2)
        let number = 5
        let none: EdmGuid? = nil
        let literal: EdmComplexValue = [
            "Name": "Chai", "Text": "number \(number)", "Stock": 39, "Less": -1, "Price": 9.5, "IsNew": true,
            "Tags": ["hot", "tea"], "Mixed": ["a", 1, [2]], "Size": ["Width": 2, "Unit": "cm"], "Note": .null,
            "ID": .init(id), "Other": .init(none), "Empty": [], "Nothing": [:],
        ]
        let expected: EdmComplexValue = [
            "Name": .string("Chai"), "Text": .string("number 5"), "Stock": .integer(39), "Less": .integer(-1),
            "Price": .double(9.5), "IsNew": .boolean(true), "Tags": .collection([.string("hot"), .string("tea")]),
            "Mixed": .collection([.string("a"), .integer(1), .collection([.integer(2)])]),
            "Size": .complex(["Width": .integer(2), "Unit": .string("cm")]),
            "Note": EdmValue.null, "ID": .guid(id), "Other": EdmValue.null, "Empty": .collection([]),
            "Nothing": .complex(EdmComplexValue()),
        ]
        #expect(literal == expected)
    }

    @Test("Nil stays what is absent, and differs from null")
    func absent() {
        var values: EdmComplexValue = ["Name": "Chai", "Note": .null]
        #expect(values["Name"] == "Chai" && values["Note"] == .null && values["Other"] == nil)
        values["Name"] = nil
        #expect(values.names == ["Note"])
    }

    @Test("Text of each type is read, or the error names text and type")
    func parsing() throws {
        let guid = try EdmGuid(parsing: "01234567-89AB-CDEF-0123-456789abcdef")
        #expect(guid == EdmGuid("01234567-89ab-cdef-0123-456789abcdef"))
        #expect(try EdmDate(parsing: "2024-02-29") == EdmDate(year: 2024, month: 2, day: 29))
        #expect(try EdmTimeOfDay(parsing: "07:59") == EdmTimeOfDay(hour: 7, minute: 59))
        #expect(try EdmDateTimeOffset(parsing: "1970-01-01T00:00:01Z") == EdmDateTimeOffset(secondsSinceEpoch: 1))
        #expect(try EdmDuration(parsing: "PT1M") == EdmDuration(seconds: 60))
        #expect(try EdmDecimal(parsing: "9.990") == EdmDecimal("9.99"))
    }

    private static func refusal(of read: () throws -> Any) -> String {
        do { return "\(try read())" } catch { return "\(error)" }
    }

    @Test("Text that is none is refused with an example")
    func refused() {
        #expect(
            Self.refusal { try EdmDate(parsing: "2024-02-30") }
                == "“2024-02-30” is not an Edm.Date: write it like 2024-02-29.")
        #expect(Self.refusal { try EdmGuid(parsing: "") }.hasPrefix("“” is not an Edm.Guid: write it like 0123"))
        #expect(Self.refusal { try EdmTimeOfDay(parsing: "24:00") }.contains("Edm.TimeOfDay"))
        #expect(Self.refusal { try EdmDateTimeOffset(parsing: "2024-01-01") }.contains("Edm.DateTimeOffset"))
        #expect(Self.refusal { try EdmDuration(parsing: "1h") }.contains("Edm.Duration"))
        #expect(Self.refusal { try EdmDecimal(parsing: "9,99") }.contains("“9,99” is not an Edm.Decimal"))
        #expect(Self.refusal { try EdmDate(parsing: String(repeating: "x", count: 500)) }.count < 200)
    }

    @Test("The examples of the errors are values")
    func examples() {
        let types: [any TextPropertyValue.Type] = [
            EdmGuid.self, EdmDate.self, EdmTimeOfDay.self, EdmDateTimeOffset.self, EdmDuration.self, EdmDecimal.self,
        ]
        for type in types { #expect(type.init(type.textForm.example) != nil) }
    }

    @Test("Random GUIDs are of version 4, and differ")
    func random() {
        let guids = (0..<50).map { _ in EdmGuid.random() }
        #expect(Set(guids).count == 50)
        #expect(guids.allSatisfy { $0.high >> 12 & 0xF == 4 && $0.low >> 62 == 2 })
    }
}
