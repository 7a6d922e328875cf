import ODataModel
import ODataQuery
import ODataSQLite

extension ComplianceSample {
    /// Everything that the sample holds.
    static var entities: [StoredEntity] {
        categoryNames.indices.map(category) + products.map(\.entity) + descriptions.map(description)
            + readOnlyItems + mediaItems + [decimals, company]
    }

    private static let categoryNames = ["Electronics", "Kitchen", "Furniture"]

    /// Product, language, description, long text, own name.
    private static let descriptions: [(Int, String, String, String, String)] = [
        (
            1, "EN", "A fast laptop for work and games",
            "A laptop with a graphics card of its own and plenty of memory.", "Promo"
        ),
        (
            1, "DE", "Ein schneller Laptop für Arbeit und Spiele",
            "Ein Laptop mit eigener Grafikkarte und viel Speicher.", ""
        ),
        (
            2, "EN", "A wireless mouse that fits the hand",
            "A mouse without a cable, with a battery that lasts for months.", ""
        ),
        (
            2, "FR", "Une souris sans fil qui tient bien en main", "Une souris sans câble, dont la pile dure des mois.",
            ""
        ),
        (
            3, "EN", "A ceramic coffee mug that keeps the heat",
            "A mug with double walls, warm inside and cool outside.", ""
        ),
        (
            5, "EN", "A smartphone with a good camera", "A smartphone that takes pictures by night and lasts all day.",
            ""
        ),
        (
            5, "ES", "Un teléfono inteligente con una buena cámara",
            "Un teléfono que hace fotos de noche y dura todo el día.", ""
        ),
    ]

    private static func category(_ index: Int) -> StoredEntity {
        let name = categoryNames[index]
        return StoredEntity(
            "Categories",
            EntityPayload([
                "ID": id(of: "category", index + 1), "Name": .string(name),
                "Description": .string("What belongs to \(name.lowercased())"),
            ]))
    }

    /// The key of a category.
    static func category(named name: String) -> EdmValue {
        categoryNames.firstIndex(of: name).map { id(of: "category", $0 + 1) } ?? .null
    }

    private static func description(_ facts: (Int, String, String, String, String)) -> StoredEntity {
        StoredEntity(
            "ProductDescriptions",
            EntityPayload([
                "ProductID": id(of: "product", facts.0), "LanguageKey": .string(facts.1),
                "Description": .string(facts.2), "LongText": .string(facts.3), "CustomName": .string(facts.4),
            ]))
    }

    private static var readOnlyItems: [StoredEntity] {
        ["A", "B"].enumerated().map { index, letter in
            StoredEntity(
                "ReadOnlyItems",
                EntityPayload(["ID": id(of: "item", index + 1), "Name": .string("Read-only item \(letter)")]))
        }
    }

    private static var mediaItems: [StoredEntity] {
        let contents: [(String, StoredEntity.Stream)] = [
            ("Picture", .init(SamplePicture(seed: 42, side: 32).png, contentType: "image/png")),
            ("Note", .init(Array("A note in plain text.\n".utf8), contentType: "text/plain")),
        ]
        return contents.enumerated().map { index, content in
            let payload = EntityPayload([
                "ID": id(of: "media", index + 1), "Name": .string(content.0),
                "ContentType": .string(content.1.contentType), "Size": .integer(Int64(content.1.bytes.count)),
                "CreatedAt": value("2024-02-01T08:00:00Z", .dateTimeOffset),
                "ModifiedAt": value("2024-02-01T08:00:00Z", .dateTimeOffset),
            ])
            return StoredEntity("MediaItems", payload, media: content.1)
        }
    }

    private static var decimals: StoredEntity {
        StoredEntity(
            "DecimalSamples",
            EntityPayload([
                "ID": id(of: "decimal", 1), "Name": .string("Eighteen decimals"),
                "Amount": value("123.450000000000000000", .decimal),
            ]))
    }

    private static var company: StoredEntity {
        StoredEntity(
            "Company",
            EntityPayload([
                "ID": id(of: "company", 1), "Name": .string("TechStore Inc."), "CEO": .string("Sarah Johnson"),
                "Founded": .integer(2010), "HeadQuarter": .string("Seattle, WA, USA"),
                "Website": .string("https://techstore.example.com"), "Logo": .binary(Array(logo.utf8)),
                "Version": .integer(1), "UpdatedAt": value("2024-01-01T00:00:00Z", .dateTimeOffset),
            ]))
    }

    private static let logo = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30" fill="#2468ac"/></svg>
        """

    /// `a0000001-0000-4000-8000-000000000001`: the same each time.
    static func id(of kind: String, _ number: Int) -> EdmValue {
        let kinds = ["product", "category", "item", "media", "decimal", "company"]
        let position = UInt64(kinds.firstIndex(of: kind) ?? kinds.count) + 1
        return .guid(EdmGuid(high: 0xA000_0000_0000_4000 | position << 32, low: 0x8000_0000_0000_0000 | UInt64(number)))
    }

    static func value(_ text: String, _ type: EdmPrimitiveType) -> EdmValue {
        EdmValue(lexical: text, type: .primitive(type)) ?? .null
    }
}
