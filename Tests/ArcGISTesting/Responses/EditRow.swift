import ODataModel

/// Why one edit of a request was not made.
struct EditError: Error, Hashable, Sendable {
    var code: Int
    var description: String

    /// The codes that are known of real services are 404 and 1003; the others are of the same kind.
    static func notFound(_ what: String) -> EditError { EditError(code: 404, description: "\(what) not found.") }
    static let rolledBack = EditError(code: 1003, description: "Operation rolled back.")
    static func refused(_ why: String) -> EditError { EditError(code: 1008, description: why) }
}

/// What became of one edit: `{"objectId": 58, "globalId": null, "success": true}`.
struct EditRow: Sendable {
    var objectID: Int64?
    var globalID: GlobalID?
    var error: EditError?

    /// The result of an edit that was rolled back because another edit of the request failed.
    ///
    /// - Parameter isAdd: What was not added has no object id.
    func rolledBack(isAdd: Bool) -> EditRow {
        guard error == nil else { return self }
        return EditRow(objectID: isAdd ? nil : objectID, globalID: globalID, error: .rolledBack)
    }

    func write(to text: inout JSONText, _ style: FeatureServerConfiguration.Style) {
        text.object { text in
            if let objectID { text.member("objectId", objectID) }
            if error == nil || globalID != nil {
                text.name("globalId")
                text.string(globalID?.text(style))
            }
            text.member("success", error == nil)
            guard let error else { return }
            text.object("error") { text in
                text.member("code", error.code)
                text.member("description", error.description)
            }
        }
    }
}

extension JSONText {
    mutating func rows(_ name: String, _ rows: [EditRow], _ style: FeatureServerConfiguration.Style) {
        array(name) { text in
            for row in rows { row.write(to: &text, style) }
        }
    }
}
