import ODataModel
import Testing

@Suite struct ValueJSONTests {
    static let address = EdmQualifiedName("M.Address")
    static let color = EdmQualifiedName("M.Color")

    static func model() throws -> EdmModel {
        let address = EdmStructuredTypeDeclaration(
            kind: .complex, name: address,
            properties: [
                EdmProperty(name: "City", type: .string), EdmProperty(name: "Zip", type: .int64),
                EdmProperty(name: "Tags", type: .collection(.string)),
            ])
        let color = EdmEnumType(name: color, members: [.init(name: "Red", value: 1)])
        return try EdmModel(schemas: [EdmSchema(namespace: "M", types: [address], enumTypes: [color])])
    }

    static let roundTrips: [(EdmTypeReference, String)] = [
        (.string, #""a \"quoted\" \\ line\nand tab\t and ü 😀 \u001f""#),
        (.boolean, "true"), (.int32, "-12"), (.int64, "9223372036854775807"),
        (.decimal, "12345678901234567890.123456789"), (.double, "1.5"), (.double, #""INF""#), (.double, #""-INF""#),
        (.double, #""NaN""#), (.primitive(.binary), #""-_8=""#),
        (.primitive(.guid), #""01234567-89ab-cdef-0123-456789abcdef""#), (.primitive(.date), #""2024-02-29""#),
        (.primitive(.dateTimeOffset), #""2024-02-29T12:00:00.5+01:00""#), (.primitive(.timeOfDay), #""07:59:59""#),
        (.primitive(.duration), #""P1DT2H""#), (.enumeration(color), #""Red""#),
        (.primitive(.geographyPoint), #"{"type":"Point","coordinates":[1.5,2]}"#),
        (.complex(address), #"{"City":"Köln","Zip":50667,"Tags":["a","b"]}"#),
        (.collection(.complex(address)), #"[{"City":"A"},{"City":null}]"#), (.collection(.int32), "[1,2,3]"),
        (.string, "null"), (.complex(address), "null"),
    ]

    @Test(arguments: roundTrips)
    func valuesRoundTrip(type: EdmTypeReference, text: String) throws {
        let value = try #require(EdmValue(jsonText: Array(text.utf8)[...], type: type, model: Self.model()))
        #expect(String(decoding: value.jsonText, as: UTF8.self) == text)
    }

    @Test(arguments: [
        (EdmTypeReference.int64, #""12""#, EdmValue.integer(12)),
        (.decimal, #""1.50""#, .decimal(EdmDecimal(isNegative: false, digits: [1, 5], exponent: -1))),
        (.int32, "1e3", .integer(1000)), (.int32, "5.0", .integer(5)), (.double, "3", .double(3)),
        (.string, #""\u00e4\ud83d\ude00\/""#, .string("ä😀/")), (.primitive(.binary), #""AAE=""#, .binary([0, 1])),
        (
            .complex(address), ##"{"@odata.type":"#M.Address","City":"X","Unknown":[1,{}]}"##,
            .complex(["City": .string("X")])
        ),
    ])
    func otherSpellingsAreRead(type: EdmTypeReference, text: String, expected: EdmValue) throws {
        #expect(try EdmValue(jsonText: Array(text.utf8)[...], type: type, model: Self.model()) == expected)
    }

    @Test(arguments: [
        (EdmTypeReference.int32, "2147483648"), (.int32, #""12""#), (.string, "12"), (.boolean, #""true""#),
        (.double, #""1.5""#), (.decimal, "true"), (.primitive(.date), #""2024-02-30""#),
        (.collection(.int32), "[1,\"a\"]"),
        (.complex(address), "[]"), (.string, #""\ud800""#), (.string, #""a"#), (.int32, "01"), (.int32, "1 2"),
        (.primitive(.geographyPoint), "\"POINT(1 2)\""), (.string, "\"a\nb\""),
    ])
    func valuesOfOtherTypesAreRefused(type: EdmTypeReference, text: String) throws {
        #expect(try EdmValue(jsonText: Array(text.utf8)[...], type: type, model: Self.model()) == nil)
    }

    @Test func deepNestingIsRefusedWithItsPlace() {
        let text = Array(String(repeating: "[", count: 5000).utf8)
        #expect(throws: JSONError("The JSON is nested too deeply.", offset: 100)) {
            try JSONParser.parse(text[...])
        }
    }

    @Test(arguments: [
        ("", 0), ("{", 1), (#"{"a":}"#, 5), (#"{"a" 1}"#, 5), ("[1,]", 3), (#"{"a":1} x"#, 8), (#""\x""#, 1),
    ])
    func errorsTellTheByte(text: String, offset: Int) {
        #expect {
            try JSONParser.parse(Array(text.utf8)[...])
        } throws: { error in
            (error as? JSONError)?.offset == offset
        }
    }

    @Test func invalidUTF8IsRefused() {
        #expect(throws: JSONError.self) { try JSONParser.parse([0x22, 0xC3, 0x28, 0x22]) }
    }
}
