import HTTPTypes
import ODataFormats
import ODataStores
import ODataTransport

/// What the client wishes with `Prefer`. Unknown preferences and values that make no sense are ignored.
///
/// [OData-Protocol, section 8.2.8; RFC 7240]
struct Preferences: Sendable {
    /// By name in lower case, without `odata.`; the first of a name counts.
    private var values: [String: HeaderPreference] = [:]

    /// `Prefer: return=minimal, odata.maxpagesize=50`
    init(_ headers: HTTPFields) {
        guard headers.contains(.prefer) else { return }
        for preference in headers.preferences(in: .prefer) {
            guard values[preference.name] == nil, Self.isUsable(preference.value, of: preference.name) else { continue }
            values[preference.name] = preference
        }
    }

    private static func isUsable(_ value: String?, of name: String) -> Bool {
        switch name {
        case "maxpagesize": value.flatMap { PageSizeOption.number($0) } != nil
        case "continue-on-error": value == nil || value == "true" || value == "false"
        case "return": value.flatMap { ChangeRequest.ReturnPreference(rawValue: $0) } != nil
        case "omit-values": value == "nulls" || value == "defaults"
        case "wait": value.flatMap { Int($0) }.map { $0 >= 0 } ?? false
        case "respond-async", "track-changes": value == nil || value == "" || value == "true"
        default: true
        }
    }

    /// `odata.maxpagesize=50`
    var maxPageSize: Int? { values["maxpagesize"]?.value.flatMap { PageSizeOption.number($0) } }

    /// `odata.track-changes`
    var tracksChanges: Bool { values["track-changes"] != nil }

    /// `include-annotations="*"`
    var annotations: String? { values["include-annotations"]?.value }

    /// `return=minimal`
    var returns: ChangeRequest.ReturnPreference? {
        values["return"]?.value.flatMap { ChangeRequest.ReturnPreference(rawValue: $0) }
    }

    /// `odata.continue-on-error`, `continue-on-error=true`; nil if the client does not say.
    var continuesOnError: Bool? { values["continue-on-error"].map { $0.value != "false" } }

    /// `omit-values=nulls`
    var omission: JSONWriterOptions.Omission? {
        switch values["omit-values"]?.value {
        case "nulls": .nulls
        case "defaults": .defaults
        default: nil
        }
    }

    /// `respond-async`
    var respondsAsync: Bool { values["respond-async"] != nil }

    /// `wait=10`: how long the client waits for the response itself, in seconds.
    var wait: Int? { values["wait"]?.value.flatMap { Int($0) } }

    /// The value of `Preference-Applied` for the named preferences, as the client spelt them; nil for none.
    func applied(_ names: @autoclosure () -> [String]) -> String? {
        guard !values.isEmpty else { return nil }
        let parts = names().compactMap { name in
            values[name].map { preference in
                preference.value.map { "\(preference.spelling)=\(Self.written($0, of: name))" } ?? preference.spelling
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// A token is as it is, anything else in quotes; what annotations are included always, as the standard has it.
    private static func written(_ value: String, of name: String) -> String {
        let isToken = HTTPField.Name(value) != nil
        guard !isToken || name == "include-annotations" else { return value }
        return "\"" + value.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}
