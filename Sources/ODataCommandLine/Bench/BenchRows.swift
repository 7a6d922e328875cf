import OData
import ODataTesting

/// The entities of the benchmark: 20 properties of ten types, the same every time.
struct BenchRows {
    let keys: BenchKeys
    private var random = SplitMix(seed: 42)

    init(keys: BenchKeys) {
        self.keys = keys
    }

    static func model(keys: BenchKeys) throws -> EdmModel {
        let types: [(String, EdmPrimitiveType)] = [
            ("ID", keys == .integer ? .int64 : .guid), ("Name", .string), ("Description", .string), ("City", .string),
            ("Email", .string), ("Status", .string), ("Quantity", .int32), ("Stock", .int32), ("Priority", .int16),
            ("Version", .int64), ("Price", .decimal), ("Discount", .decimal), ("Weight", .double),
            ("CreatedOn", .date), ("ChangedAt", .dateTimeOffset), ("DueAt", .dateTimeOffset), ("ExternalID", .guid),
            ("ParentID", .guid), ("Active", .boolean), ("Locked", .boolean),
        ]
        let properties = types.map { name, type in
            EdmProperty(
                name: name, type: .primitive(type), isNullable: name != "ID",
                scale: type == .decimal ? .variable : nil)
        }
        let name = EdmQualifiedName(namespace: "Bench", name: "Row")
        return try EdmModel(schemas: [
            EdmSchema(
                namespace: "Bench", types: [.init(name: name, key: ["ID"], properties: properties)],
                container: "Container", entitySets: [.init(name: "Rows", type: name)])
        ])
    }

    /// One page as a service sends it.
    mutating func page(_ number: Int, rows: Range<Int>, isLast: Bool) -> [UInt8] {
        var text = #"{"@odata.context":"$metadata#Rows","value":["#
        for row in rows {
            if row > rows.lowerBound { text += "," }
            text += entity(row)
        }
        text += "]"
        if !isLast { text += #","@odata.nextLink":"Rows?page=\#(number + 1)""# }
        return Array((text + "}").utf8)
    }

    private mutating func entity(_ row: Int) -> String {
        let id = keys == .integer ? "\(row + 1)" : "\"\(EdmGuid.random(using: &random))\""
        let instant = EdmDateTimeOffset(secondsSinceEpoch: 1_600_000_000 + Int64(random.number(below: 100_000_000)))
        let due = row % 3 == 0 ? "null" : "\"\(instant)\""
        let parent = row % 4 == 0 ? "null" : "\"\(EdmGuid.random(using: &random))\""
        return #"{"@odata.etag":"W/\"\#(row)\"","ID":\#(id),"Name":"Article number \#(row)","#
            + #""Description":"A part of \"group\" \#(row % 97), kept in hall \#(row % 13)","City":"Łódź \#(row % 50)","#
            + #""Email":"office\#(row)@example.org","Status":\#(row % 5 == 0 ? "null" : "\"open\""),"#
            + #""Quantity":\#(random.number(below: 1000)),"Stock":\#(random.number(below: 100_000)),"#
            + #""Priority":\#(row % 7),"Version":\#(row * 1_000_003),"Price":\#(random.number(below: 10_000)).\#(10 + row % 89),"#
            + #""Discount":0.\#(1 + row % 9),"Weight":\#(Double(random.number(below: 100_000)) / 64),"#
            + #""CreatedOn":"\#(instant.date)","ChangedAt":"\#(instant)","DueAt":\#(due),"#
            + #""ExternalID":"\#(EdmGuid.random(using: &random))","ParentID":\#(parent),"#
            + #""Active":\#(row % 2 == 0),"Locked":\#(row % 11 == 0)}"#
    }
}
