import HTTPTypes
import ODataTransport

extension HTTPFields {
    /// Whether the client requests repeatability: it has one of the headers for that.
    ///
    /// [Repeatable Requests 1.0, section 3]
    var asksForRepeatability: Bool { contains(.repeatabilityRequestID) || contains(.repeatabilityFirstSent) }
}
