import GRDB
import ODataModel

/// Names the form of a stored value for the scan of a file's columns.
enum StoredForm {
    static let function = "odata_store_form"

    static func install(on db: Database) { db.add(function: scan) }

    static func remove(from db: Database) { db.remove(function: scan) }

    private static let scan = DatabaseFunction(function, argumentCount: 1, pure: true) { values in
        values.first.map { form(of: $0) }
    }

    /// `integer`, `real`, `date`, `time`, `guid`, `instant _3-` (space, three digits of fraction, no zone),
    /// `instant T0Z`, or `other`.
    private static func form(of value: DatabaseValue) -> String {
        switch value.storage {
        case .null: return "null"
        case .int64: return "integer"
        case .double: return "real"
        case .blob: return "blob"
        case .string(let text):
            if EdmDate(text) != nil { return "date" }
            if EdmTimeOfDay(text) != nil { return "time" }
            if EdmGuid(text) != nil { return "guid" }
            return instantForm(text) ?? "other"
        }
    }

    private static func instantForm(_ text: String) -> String? {
        guard let instant = EdmDateTimeOffset(text, defaultOffset: 0), instant.offsetMinutes == 0 else { return nil }
        let characters = Array(text.utf8)
        guard let separator = characters.firstIndex(where: { [0x54, 0x20].contains($0) }) else { return nil }
        let time = characters[(separator + 1)...]
        let hasZone = time.last == UInt8(ascii: "Z")
        guard hasZone || time.allSatisfy({ (0x30...0x3A).contains($0) || $0 == UInt8(ascii: ".") }),
            time.filter({ $0 == UInt8(ascii: ":") }).count == 2
        else { return nil }
        let digits = time.firstIndex(of: UInt8(ascii: ".")).map { time.endIndex - $0 - 1 - (hasZone ? 1 : 0) } ?? 0
        return "instant \(characters[separator] == 0x20 ? "_" : "T")\(digits)\(hasZone ? "Z" : "-")"
    }
}
