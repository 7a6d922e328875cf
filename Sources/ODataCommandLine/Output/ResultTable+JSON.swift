import Foundation

extension ResultTable {
    /// The rows of a V4 JSON payload: the members of `value`, or the one entity. Control information is left out.
    init(json: [UInt8]) throws {
        guard let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else {
            throw Failure("The answer is no JSON object.")
        }
        let objects: [[String: Any]] =
            switch object["value"] {
            case let list as [[String: Any]]: list
            case let list as [Any]: list.map { ["value": $0] }
            default: [object]
            }
        var names: [String] = []
        for row in objects {
            for name in row.keys.sorted() where !name.contains("@") && !names.contains(name) { names.append(name) }
        }
        self.init(columns: names, rows: objects.map { row in names.map { Self.text(row[$0]) } })
    }

    private static func text(_ value: Any?) -> String? {
        switch value {
        case nil, is NSNull: nil
        case let text as String: text
        case let list as [Any]: "\(list.count) entries"
        case let object as [String: Any]:
            (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]))
                .map { String(decoding: $0, as: UTF8.self) }
        case let number as NSNumber:
            String(cString: number.objCType) == "c" ? (number.boolValue ? "true" : "false") : number.stringValue
        case let value?: "\(value)"
        }
    }
}
