import Foundation

/// A GUID that a client may make: `{55E85F98-FBDD-4129-9F0B-848DD40BD911}`. Case and braces do not matter.
struct GlobalID: Hashable, Sendable {
    private let value: UUID

    init() { value = UUID() }

    /// Nil if `text` is not a GUID.
    init?(_ text: String?) {
        guard let text else { return nil }
        let isBraced = text.hasPrefix("{") && text.hasSuffix("}") && text.count > 1
        guard let value = UUID(uuidString: isBraced ? String(text.dropFirst().dropLast()) : text) else { return nil }
        self.value = value
    }

    func text(_ style: FeatureServerConfiguration.Style) -> String {
        switch style {
        case .hosted: value.uuidString.lowercased()
        case .enterprise: "{\(value.uuidString)}"
        }
    }
}
