import ODataModel
import ODataQuery

/// How the value of a parameter becomes the binding of a statement.
enum ParameterForm: Hashable, Sendable {
    /// As a column of this codec is compared with it.
    case comparand(ColumnCodec)
    /// The text of a GUID in capital letters, which a key predicate accepts too.
    case capitalGuid

    /// Nil if the value has no such form.
    func binding(for value: EdmValue) -> SQLBinding? {
        switch self {
        case .comparand(let codec): return codec.comparand(for: value)
        case .capitalGuid:
            guard case .guid(let guid) = value else { return nil }
            return .text(guid.description.uppercased())
        }
    }

    /// The forms that a value of the kind of `value` can have in a statement.
    static func forms(of value: EdmValue) -> [ParameterForm] {
        switch value {
        case .string: [.comparand(.text)]
        case .integer, .decimal: [.comparand(.decimalNumber), .comparand(.real), .comparand(.decimalText)]
        case .double: [.comparand(.real), .comparand(.decimalText)]
        case .guid: [.comparand(.guidText), .comparand(.guidBlob), .capitalGuid]
        case .date: [.comparand(.date)]
        case .dateTimeOffset: instants
        default: []
        }
    }

    private static let instants: [ParameterForm] = {
        var formats: [InstantFormat] = [.dateText, .unixSeconds, .unixMilliseconds]
        for separator in [" ", "T"] {
            for digits in [0, 3, 6] {
                for zone in [false, true] {
                    formats.append(.text(separator: separator, fractionDigits: digits, zone: zone))
                }
            }
        }
        return [.comparand(.instantText)] + formats.map { .comparand(.instant($0)) }
    }()
}
