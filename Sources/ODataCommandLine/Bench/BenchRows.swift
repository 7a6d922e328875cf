import OData
import ODataTesting

/// The entities of the benchmark: 20 properties of ten types, the same every time.
struct BenchRows {
    let data: BenchData
    private var random = SplitMix(seed: 42)

    init(_ data: BenchData) {
        self.data = data
    }

    static func model(of data: BenchData) throws -> EdmModel {
        let types: [(String, EdmPrimitiveType)] = [
            ("ID", data.keys == .integer ? .int64 : .guid), ("Name", .string), ("Description", .string),
            ("City", .string), ("Email", .string), ("Status", .string), ("Quantity", .int32), ("Stock", .int32),
            ("Priority", .int16), ("Version", .int64), ("Price", .decimal), ("Discount", .decimal),
            ("Weight", .double), ("CreatedOn", .date), ("ChangedAt", .dateTimeOffset), ("DueAt", .dateTimeOffset),
            ("ExternalID", .guid), ("ParentID", .guid), ("Active", .boolean), ("Locked", .boolean),
        ]
        let properties = types.map { name, type in
            EdmProperty(
                name: name, type: .primitive(type), isNullable: name != "ID",
                scale: type == .decimal ? .variable : nil)
        }
        let name = EdmQualifiedName(namespace: "Bench", name: "Row")
        var declared = [EdmStructuredTypeDeclaration(name: name, key: ["ID"], properties: properties)]
        var sets = data.form.sets.map { EdmEntitySetDeclaration(name: $0, type: name) }
        switch data.form {
        case .plain, .sets: break
        case .derived:
            let words = [EdmProperty(name: "Grade", type: .primitive(.string))]
            let derived = EdmQualifiedName(namespace: "Bench", name: "GradedRow")
            declared.append(.init(name: derived, baseType: name, properties: words))
        case .expand:
            let part = EdmQualifiedName(namespace: "Bench", name: "Part")
            let own = properties + [EdmProperty(name: "RowID", type: .primitive(types[0].1))]
            let constraint = EdmNavigationProperty.Constraint(property: "RowID", referencedProperty: "ID")
            let back = EdmNavigationProperty(
                name: "Row", target: name, isCollection: false, partner: "Parts", constraints: [constraint])
            declared[0].navigationProperties = [
                EdmNavigationProperty(name: "Parts", target: part, isCollection: true, partner: "Row")
            ]
            declared.append(.init(name: part, key: ["ID"], properties: own, navigationProperties: [back]))
            sets[0].bindings = ["Parts": "Parts"]
            sets.append(.init(name: "Parts", type: part, bindings: ["Row": "Rows"]))
        }
        return try EdmModel(schemas: [
            EdmSchema(namespace: "Bench", types: declared, container: "Container", entitySets: sets)
        ])
    }

    /// The pages of a set, as a service sends them.
    mutating func pages(of set: String) -> [[UInt8]] {
        let count = data.rows / data.form.sets.count / (1 + data.form.related)
        let pages = (count + data.page - 1) / data.page
        return (0..<pages).map { number in
            var end = #","@odata.nextLink":"\#(set)?page=\#(number + 1)""#
            if number == pages - 1 { end = data.changes > 0 ? Self.deltaLink : "" }
            return page(set, number * data.page..<min(count, (number + 1) * data.page), round: 0, end: end)
        }
    }

    /// The page of changes: entities from all over the set.
    mutating func changes() -> [UInt8] {
        let step = max(1, data.rows / max(1, data.changes))
        return page("Rows/$delta", (0..<data.changes).map { $0 * step }, round: 1, end: Self.deltaLink)
    }

    private static let deltaLink = #","@odata.deltaLink":"Rows?changes=1""#

    private mutating func page(_ context: String, _ rows: some Sequence<Int>, round: Int, end: String) -> [UInt8] {
        var text = #"{"@odata.context":"$metadata#\#(context)","value":["#
        var isFirst = true
        for row in rows {
            if !isFirst { text += "," }
            isFirst = false
            text += entity(row, round: round)
        }
        return Array((text + "]\(end)}").utf8)
    }

    private mutating func entity(_ row: Int, round: Int) -> String {
        guard data.form == .expand else { return typed(values(row, round: round), row) }
        let parts = (1...data.form.related).map { number in
            let part = values(data.rows + row * data.form.related + number, round: round)
            return #"\#(part.dropLast()),"RowID":\#(key(of: row))}"#
        }
        return #"\#(values(row, round: round).dropLast()),"Parts":[\#(parts.joined(separator: ","))]}"#
    }

    /// Every second entity is of the derived type, if there is one.
    private func typed(_ values: String, _ row: Int) -> String {
        guard data.form == .derived, row % 2 == 1 else { return values }
        return ##"{"@odata.type":"#Bench.GradedRow",\##(values.dropFirst().dropLast()),"Grade":"\##(row % 10)"}"##
    }

    private func key(of row: Int) -> String {
        guard data.keys == .guid else { return "\(row + 1)" }
        var random = SplitMix(seed: UInt64(row))
        return "\"\(EdmGuid.random(using: &random))\""
    }

    /// - Parameter round: How often the entity has changed.
    private mutating func values(_ row: Int, round: Int) -> String {
        let instant = EdmDateTimeOffset(secondsSinceEpoch: 1_600_000_000 + Int64(random.number(below: 100_000_000)))
        let due = row % 3 == 0 ? "null" : "\"\(instant)\""
        let parent = row % 4 == 0 ? "null" : "\"\(EdmGuid.random(using: &random))\""
        return #"{"@odata.etag":"W/\"\#(row).\#(round)\"","ID":\#(key(of: row)),"Name":"Article number \#(row)","#
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
