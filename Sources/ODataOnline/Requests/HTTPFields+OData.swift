import HTTPTypes
import ODataModel
import ODataStores
import ODataTransport

extension HTTPFields {
    /// - Throws: ``ODataError`` with code `badRequest` if a name or value cannot stand in a header.
    init(_ fields: [HeaderField]) throws {
        self.init()
        try append(fields)
    }

    /// Adds `fields` in place of those of the same name.
    mutating func append(_ fields: [HeaderField]) throws {
        var replaced: Set<HTTPField.Name> = []
        for field in fields {
            guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else {
                throw ODataError(
                    .badRequest, "The header \(field.name) cannot be sent: its name or value is not a header.")
            }
            if replaced.insert(name).inserted { self[name] = nil }
            append(HTTPField(name: name, value: field.value))
        }
    }

    /// `ETag`; nil of an empty one.
    var entityTag: String? { EntityTag.checked(self[.eTag]) }

    /// Adds a preference: `Prefer: return=minimal, odata.maxpagesize=100`.
    mutating func prefer(_ preference: String) {
        self[.prefer] = self[.prefer].map { "\($0), \(preference)" } ?? preference
    }

    /// Whether the service says that it honoured the id of a request: it gives the same response to repetitions.
    /// Reported by OASIS's header or by SAP Gateway's.
    var tellsRepeatable: Bool {
        let names = [.repeatabilityResult, HTTPField.Name("RepeatabilityResult")].compactMap { $0 }
        return names.contains { self[$0]?.lowercased() == "accepted" }
    }

    /// Whether the service took up the preference, spelled with or without `odata.`.
    func appliesPreference(_ name: String) -> Bool {
        preferences(in: .preferenceApplied).contains { $0.name == name }
    }
}
