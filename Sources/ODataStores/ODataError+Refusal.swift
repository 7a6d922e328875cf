extension ODataError {
    /// Whether the service may have refused the request for something in it that it does not know, and should have passed
    /// over: a preference, a count. It has executed nothing then, so that the request can be sent again without. Services
    /// do not agree on the status.
    ///
    /// - Parameter isConditional: Whether the request has `If-Match` or `If-None-Match`, which explain 412.
    ///
    /// [RFC 7240, section 2; OData-Protocol, section 8.2.8]
    package func mayRefuseExtra(isConditional: Bool) -> Bool {
        // 403 with `X-CSRF-Token: Required` is about the session.
        guard let status, !isOutcomeUnknown, code != .unauthorized, code != .batchRefused else { return false }
        switch status {
        // These are about who asks, the state, the length or the load.
        case 401, 407, 408, 410, 411, 413, 414, 416, 423, 424, 425, 429: return false
        case 412: return !isConditional
        default: return (400..<500).contains(status) || status == 501
        }
    }
}

extension ReadRequest {
    /// Whether the service may have refused the read for something that it should have ignored. A read can be sent
    /// again after a fault, too.
    package func mayBeRefusedForExtra(_ error: ODataError) -> Bool {
        error.code == .internalError || error.mayRefuseExtra(isConditional: ifMatch != nil || ifNoneMatch != nil)
    }
}
