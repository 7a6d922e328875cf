import HTTPTypes

extension HTTPField.Name {
    /// A name that is written here and known to be a token.
    private static func token(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name.") }
        return name
    }

    static let odataVersion = token("OData-Version")
    static let odataMaxVersion = token("OData-MaxVersion")
    static let odataEntityID = token("OData-EntityId")
    static let prefer = token("Prefer")
    static let preferenceApplied = token("Preference-Applied")
    static let repeatabilityRequestID = token("Repeatability-Request-ID")
    static let repeatabilityFirstSent = token("Repeatability-First-Sent")
    static let repeatabilityResult = token("Repeatability-Result")
    static let slug = token("Slug")
}
