import HTTPTypes
import ODataStores
import ODataTransport

/// What the headers of uploads say. Values that are not of their type are ignored, as the draft has it.
///
/// [draft-ietf-httpbis-resumable-upload-12, section 4.1; RFC 9651]
enum UploadFields {
    /// The media type of a part of a stream.
    static let partialUpload = "application/partial-upload"

    /// `Upload-Complete: ?1`
    static func isComplete(_ headers: HTTPFields) -> Bool? {
        switch item(.uploadComplete, headers) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// `Upload-Offset: 1000`, which has at most 15 digits.
    static func integer(_ name: HTTPField.Name, _ headers: HTTPFields) -> Int64? {
        guard let text = item(name, headers), (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }

    /// The value of an item without its parameters.
    private static func item(_ name: HTTPField.Name, _ headers: HTTPFields) -> String? {
        headers[name].flatMap { HeaderElement($0)?.value }
    }

    /// The length of the whole stream, as far as it is known by now.
    ///
    /// - Parameters:
    ///   - known: The fields of earlier requests.
    ///   - offset: Where the body of the request begins.
    /// - Throws: ``UploadProblem`` if the fields contradict each other, or the body exceeds them.
    static func length(
        of request: ServiceRequest, isComplete: Bool, known: Int64? = nil, offset: Int64 = 0
    ) throws -> Int64? {
        let (end, isTooLong) = offset.addingReportingOverflow(request.body.length ?? 0)
        let counted = isComplete && request.body.length != nil ? end : nil
        let told = Set([known, integer(.uploadLength, request.headers), counted].compactMap(\.self))
        guard !isTooLong, told.count <= 1, end <= told.first ?? .max else { throw UploadProblem.inconsistentLength }
        return told.first
    }

    /// `max-size=1000000000, max-append-size=8388608, max-age=86400`
    ///
    /// - Parameter age: How many seconds the upload has left; nil for one that begins.
    static func limits(_ limits: ServiceLimits, _ space: any UploadSpace, age: Int64? = nil) -> String {
        var parts: [String] = []
        if let size = space.maximalLength { parts.append("max-size=\(size)") }
        if let size = limits.resumableAppendSize { parts.append("max-append-size=\(size)") }
        parts.append("max-age=\(max(0, age ?? limits.resumableUploadLifetime.components.seconds))")
        return parts.joined(separator: ", ")
    }
}
