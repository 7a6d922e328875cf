import ByteStreams
import Foundation
import ODataStores

/// A form with a file in it, which is read when the form is sent.
///
/// ```
/// --7c9e6679
/// Content-Disposition: form-data; name="f"
///
/// json
/// --7c9e6679
/// Content-Disposition: form-data; name="attachment"; filename="valve.jpg"
/// Content-Type: image/jpeg
///
/// …
/// --7c9e6679--
/// ```
///
/// [RFC 7578]
struct MultipartForm: Sendable {
    let content: ByteContent
    let contentType: String

    /// - Throws: ``ODataError`` `badRequest` if the type of the file holds characters that would end its line.
    init(
        _ parameters: [ArcGISRequest.Parameter], _ file: ArcGISRequest.File, boundary: String = UUID().uuidString
    ) throws(ODataError) {
        guard !file.contentType.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw ODataError(.badRequest, "The media type of \(file.name) holds control characters.")
        }
        var head = ""
        for parameter in parameters {
            head += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(parameter.name))\"\r\n\r\n"
            head += "\(parameter.value)\r\n"
        }
        head += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(file.field))\"; "
        head += "filename=\"\(Self.quoted(file.name))\"\r\nContent-Type: \(file.contentType)\r\n\r\n"
        let tail = "\r\n--\(boundary)--\r\n"
        content = ByteContent(
            JoinedSource([
                DataSource(Array(head.utf8)), ContentSource(content: file.content), DataSource(Array(tail.utf8)),
            ]))
        contentType = "multipart/form-data; boundary=\(boundary)"
    }

    /// As browsers write names: `a%22b` for `a"b`.
    private static func quoted(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
