import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataStores

extension PublishedColumn {
    /// The form in which the column holds `value`.
    ///
    /// - Throws: ``ODataError`` `badRequest` naming the property, if its type does not have such a value.
    func stored(_ value: EdmValue) throws -> DatabaseValue {
        if value.isNull {
            guard isNullable || isServiceMade else { throw refusal(ValueProblem.mustNotBeNull) }
            return .null
        }
        if declaration != nil { return try storedKey(value) }
        let fitting = try ODataError.checking { () throws(ValueProblem) in
            try ValueCheck.primitive(value, of: type, facets: facets, at: property)
        }
        // A file of others has no place for it: SQLite has no such number.
        if case .double(let number) = fitting, number.isNaN {
            throw refusal(ValueProblem.takes(.primitive(type), not: "NaN"))
        }
        do { return try codec.binding(for: fitting).stored } catch {
            throw refusal("cannot hold \(value.shown) exactly: \(limits)")
        }
    }

    /// A value of a declared model that is looked for: what a payload sets is checked by its property.
    private func storedKey(_ value: EdmValue) throws -> DatabaseValue {
        if case .enumeration(let type) = codec {
            guard let number = type.number(of: value) else {
                throw refusal(ValueProblem.takes(membersOf: type, not: value.shown))
            }
            return number.databaseValue
        }
        guard let fitting = PrimitiveFit(type: type).value(value) else {
            throw refusal(ValueProblem.takes(.primitive(type), not: value.shown))
        }
        return try codec.binding(for: fitting).stored
    }

    /// What the column can hold.
    private var limits: String {
        switch codec {
        case .decimalNumber: "SQLite keeps 15 significant digits in a numeric column"
        case .instant: "its values have no finer fraction of a second in this file"
        default: "its values have another form"
        }
    }

    /// Digits after the point have no limit where the file declares none.
    private var facets: EdmFacets {
        EdmFacets(maxLength: maxLength, precision: precision, scale: scale ?? .variable)
    }

    private func refusal(_ what: String) -> ODataError { ODataError.refused(ValueProblem(property, what)) }

    /// What `stored` stands for.
    ///
    /// - Throws: ``ODataError`` if the value is not of the property's type: another program wrote it.
    func value(of stored: DatabaseValue) throws -> EdmValue {
        guard let value = decoded(stored) else {
            throw ODataError(.internalError, "The column \(name) holds a value that is not an Edm.\(type.rawValue).")
        }
        return value
    }

    private func decoded(_ stored: DatabaseValue) -> EdmValue? {
        switch (stored.storage, codec) {
        case (.null, _): return .null
        case (.int64(let number), .integer): return .integer(number)
        case (.int64(let number), .enumeration(let type)): return .enumeration(type.name, type.text(of: number))
        case (.blob(let data), .blob): return .binary(Array(data))
        case (.string(let text), .instantText):
            return EdmDateTimeOffset(storedText: text).map(EdmValue.dateTimeOffset)
        case (.int64(let number), .boolean): return .boolean(number != 0)
        case (.int64(let number), .real): return .double(Double(number))
        case (.int64(let number), .decimalNumber): return .decimal(EdmDecimal(number))
        case (.double(let number), .real): return .double(number)
        case (.double(let number), .decimalNumber): return EdmDecimal(number).map(EdmValue.decimal)
        case (.blob(let data), .guidBlob): return EdmGuid(bytes: Array(data)).map(EdmValue.guid)
        case (_, .text) where isShown: return ShownText.text(of: stored.binding).map(EdmValue.string)
        case (.string(let text), .instant(let format)): return Self.instant(.text(text), format)
        case (.int64(let number), .instant(let format)): return Self.instant(.integer(number), format)
        case (.double(let number), .instant(let format)): return Self.instant(.real(number), format)
        case (.string(let text), _): return EdmValue(lexical: text, type: .primitive(type))
        default: return nil
        }
    }

    private static func instant(_ stored: SQLBinding, _ format: InstantFormat) -> EdmValue? {
        TemporalText.instant(stored, format: format).map(EdmValue.dateTimeOffset)
    }
}
