import HTTPTypes

extension HTTPField.Name {
    /// `OData-Version: 4.01`
    package static let oDataVersion = HTTPField.Name("OData-Version")!
    package static let oDataMaxVersion = HTTPField.Name("OData-MaxVersion")!
    /// `OData-EntityId: http://host/root/Products(1)`
    package static let oDataEntityID = HTTPField.Name("OData-EntityId")!
    package static let prefer = HTTPField.Name("Prefer")!
    package static let preferenceApplied = HTTPField.Name("Preference-Applied")!
    package static let slug = HTTPField.Name("Slug")!
    package static let contentID = HTTPField.Name("Content-ID")!
    /// `OData-Isolation: snapshot`; without the prefix in 4.01.
    package static let oDataIsolation = HTTPField.Name("OData-Isolation")!
    package static let isolation = HTTPField.Name("Isolation")!
    /// `AsyncResult: 200`: the status of a response that was made asynchronously.
    package static let asyncResult = HTTPField.Name("AsyncResult")!
    package static let repeatabilityRequestID = HTTPField.Name("Repeatability-Request-ID")!
    package static let repeatabilityFirstSent = HTTPField.Name("Repeatability-First-Sent")!
    /// `Repeatability-Result: accepted`
    package static let repeatabilityResult = HTTPField.Name("Repeatability-Result")!
    /// `Repr-Digest: sha-256=:d435Qo…=:`, of the whole stream, whatever part of it is sent. [RFC 9530, section 3]
    package static let reprDigest = HTTPField.Name("Repr-Digest")!
    /// The same of the bytes of the message. [RFC 9530, section 2]
    package static let contentDigest = HTTPField.Name("Content-Digest")!
    /// The predecessor of ``reprDigest``: `Digest: SHA-256=X48E9q…` [RFC 3230]
    package static let digest = HTTPField.Name("Digest")!
    package static let contentMD5 = HTTPField.Name("Content-MD5")!
    /// `Want-Repr-Digest: sha-256=10` [RFC 9530, section 4]
    package static let wantReprDigest = HTTPField.Name("Want-Repr-Digest")!

    /// `X-CSRF-Token: Fetch` in requests, the token or `Required` in responses.
    package static let csrfToken = HTTPField.Name("X-CSRF-Token")!

    /// Whether the values of this header contain no secret: they may be logged, and sent to another origin.
    ///
    /// A list of what is known to be harmless, since an app's own headers (`X-API-Key`) may be secrets.
    package var isHarmless: Bool { Self.harmless.contains(self) }

    private static let harmless: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .acceptRanges, .allow, .cacheControl, .contentDisposition,
        .contentEncoding, .contentLanguage, .contentLength, .contentRange, .contentType, .date, .eTag, .ifMatch,
        .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince, .lastModified, .location, .range, .retryAfter,
        .server, .transferEncoding, .userAgent, .vary, .oDataVersion, .oDataMaxVersion, .oDataEntityID, .prefer,
        .preferenceApplied, .slug, .oDataIsolation, .isolation, .asyncResult, .contentID, .repeatabilityRequestID,
        .repeatabilityFirstSent, .repeatabilityResult, .reprDigest, .contentDigest, .wantReprDigest, .digest,
        .contentMD5, .uploadComplete, .uploadOffset, .uploadLength, .uploadLimit, .uploadDraftInteropVersion,
        .uploadMetadata, .tusResumable,
    ]
}
