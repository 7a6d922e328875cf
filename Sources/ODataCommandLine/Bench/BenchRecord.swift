import GRDB

/// What an app writes today: a record that is decoded from JSON and inserted.
struct BenchRecord: Codable, PersistableRecord {
    struct Page: Decodable {
        var value: [BenchRecord]
    }

    static let databaseTableName = "Rows"
    static let table = """
        CREATE TABLE Rows (ID PRIMARY KEY, Name, Description, City, Email, Status, Quantity, Stock, Priority, Version,
        Price, Discount, Weight, CreatedOn, ChangedAt, DueAt, ExternalID, ParentID, Active, Locked)
        """

    var id: Key
    var name: String?
    var description: String?
    var city: String?
    var email: String?
    var status: String?
    var quantity: Int?
    var stock: Int?
    var priority: Int?
    var version: Int64?
    var price: Double?
    var discount: Double?
    var weight: Double?
    var createdOn: String?
    var changedAt: String?
    var dueAt: String?
    var externalID: String?
    var parentID: String?
    var active: Bool?
    var locked: Bool?

    enum CodingKeys: String, CodingKey {
        case id = "ID"
        case name = "Name"
        case description = "Description"
        case city = "City"
        case email = "Email"
        case status = "Status"
        case quantity = "Quantity"
        case stock = "Stock"
        case priority = "Priority"
        case version = "Version"
        case price = "Price"
        case discount = "Discount"
        case weight = "Weight"
        case createdOn = "CreatedOn"
        case changedAt = "ChangedAt"
        case dueAt = "DueAt"
        case externalID = "ExternalID"
        case parentID = "ParentID"
        case active = "Active"
        case locked = "Locked"
    }

    /// An integer or a GUID.
    enum Key: Codable, DatabaseValueConvertible {
        case integer(Int64)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int64.self) {
                self = .integer(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .integer(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }

        var databaseValue: DatabaseValue {
            switch self {
            case .integer(let number): number.databaseValue
            case .text(let text): text.databaseValue
            }
        }

        static func fromDatabaseValue(_ value: DatabaseValue) -> Key? {
            Int64.fromDatabaseValue(value).map(Key.integer) ?? String.fromDatabaseValue(value).map(Key.text)
        }
    }
}
