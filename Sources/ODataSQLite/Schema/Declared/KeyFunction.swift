import GRDB
import ODataModel
import ODataQuery
import ODataSQL

/// `odata_store_key('OrderID', 'Int32', 1, 'Line', 'String', 'a')`: a key as in a URL, `(OrderID=1,Line='a')`.
package enum KeyFunction {
    package static let name = "odata_store_key"

    static func install(on db: Database) { db.add(function: function) }

    private static let function = DatabaseFunction(name, pure: true) { values in
        var components: [EdmComplexValue.Member] = []
        for start in stride(from: 0, to: values.count - 2, by: 3) {
            guard let name = String.fromDatabaseValue(values[start]),
                let type = String.fromDatabaseValue(values[start + 1]).flatMap(EdmPrimitiveType.init),
                let value = value(values[start + 2], type)
            else { return nil }
            components.append(.init(name: name, value: value))
        }
        return EntityKey(components).urlText
    }

    private static func value(_ stored: DatabaseValue, _ type: EdmPrimitiveType) -> EdmValue? {
        switch stored.storage {
        case .int64(let number): type == .boolean ? .boolean(number != 0) : .integer(number)
        case .blob(let data): type == .guid ? EdmGuid(bytes: Array(data)).map(EdmValue.guid) : .binary(Array(data))
        case .string(let text):
            type == .dateTimeOffset
                ? EdmDateTimeOffset(storedText: text).map(EdmValue.dateTimeOffset)
                : EdmValue(lexical: text, type: .primitive(type))
        case .null, .double: nil
        }
    }
}
