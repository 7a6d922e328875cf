import ODataMetadata

/// Reads `multipart/mixed` batches. Lines may end with CR LF or with LF alone.
///
/// [RFC 2046, section 5.1; OData-Protocol, section 11.7.7]
struct MultipartReader {
    /// A part: its headers and where its content is.
    private struct Part {
        var headers: [(String, String)]
        var content: Range<Int>
        var contentID: String? { Batch.header("Content-ID", in: headers) }
    }

    /// A part with an HTTP message in it.
    private struct Message {
        var firstLine: String
        var headers: [(String, String)]
        var body: [UInt8]
        var contentID: String?
        var group: String?
        var offset: Int
    }

    private let bytes: [UInt8]
    private let limits: PayloadLimits

    init(_ bytes: [UInt8], limits: PayloadLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    func requests(boundary: String) throws(FormatError) -> [BatchPart] {
        var parts: [BatchPart] = []
        for message in try messages(boundary: boundary) {
            // `POST Products HTTP/1.1`; spaces inside the URL pass.
            guard let first = message.firstLine.firstIndex(of: " "), let last = message.firstLine.lastIndex(of: " "),
                first < last, message.firstLine[last...].hasPrefix(" HTTP/")
            else { throw FormatError("“\(message.firstLine)” is not a request line.", offset: message.offset) }
            let url = message.firstLine[message.firstLine.index(after: first)..<last]
            parts.append(
                BatchPart(
                    id: message.contentID ?? Batch.header("Content-ID", in: message.headers),
                    method: String(message.firstLine[..<first]), url: String(url), headers: message.headers,
                    body: message.body, atomicityGroup: message.group))
        }
        return parts
    }

    func responses(boundary: String) throws(FormatError) -> [BatchItemResponse] {
        var responses: [BatchItemResponse] = []
        for message in try messages(boundary: boundary) {
            let words = message.firstLine.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]),
                (100...599).contains(status)
            else { throw FormatError("“\(message.firstLine)” is not a status line.", offset: message.offset) }
            responses.append(
                BatchItemResponse(
                    id: message.contentID ?? Batch.header("Content-ID", in: message.headers), status: status,
                    headers: message.headers, body: message.body, atomicityGroup: message.group))
        }
        return responses
    }

    private func messages(boundary: String) throws(FormatError) -> [Message] {
        var messages: [Message] = []
        var groups = 0
        for part in try parts(in: 0..<bytes.count, boundary: boundary) {
            let type = Batch.header("Content-Type", in: part.headers) ?? "application/http"
            if case .multipart(let inner) = BatchFormat(contentType: type) {
                groups += 1
                for member in try parts(in: part.content, boundary: inner) {
                    messages.append(try message(member, group: "changeset\(groups)"))
                }
            } else {
                messages.append(try message(part, group: nil))
            }
            guard messages.count <= limits.batchParts else {
                throw FormatError(
                    "The batch has more than \(limits.batchParts) parts.", offset: part.content.lowerBound)
            }
        }
        return messages
    }

    private func message(_ part: Part, group: String?) throws(FormatError) -> Message {
        let type = Batch.header("Content-Type", in: part.headers) ?? "application/http"
        guard type.lowercased().hasPrefix("application/http") else {
            throw FormatError("A part is of type “\(type)”, not application/http.", offset: part.content.lowerBound)
        }
        var position = part.content.lowerBound
        var firstLine = ""
        while firstLine.isEmpty, position < part.content.upperBound {
            firstLine = text(line(from: &position, to: part.content.upperBound))
        }
        let headers = try headers(from: &position, to: part.content.upperBound)
        return Message(
            firstLine: firstLine, headers: headers, body: try body(headers, position..<part.content.upperBound),
            contentID: part.contentID, group: group, offset: part.content.lowerBound)
    }

    private func body(_ headers: [(String, String)], _ range: Range<Int>) throws(FormatError) -> [UInt8] {
        guard range.count <= limits.batchPartBytes else {
            throw FormatError(
                "The body of a part of the batch is longer than the limit of \(limits.batchPartBytes) bytes.",
                offset: range.lowerBound)
        }
        if let text = Batch.header("Content-Length", in: headers) {
            guard let length = Int(text), (0...range.count).contains(length) else {
                throw FormatError(
                    "A part of the batch has \(range.count) bytes where \(text) are declared.",
                    offset: range.lowerBound)
            }
            return Array(bytes[range.prefix(length)])
        }
        // Without a length, line ends by themselves are no body.
        let body = bytes[range]
        return body.allSatisfy { $0 == 0x0A || $0 == 0x0D } ? [] : Array(body)
    }

    /// The parts between the lines `--boundary`; what is before the first and behind the last is ignored.
    private func parts(in range: Range<Int>, boundary: String) throws(FormatError) -> [Part] {
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [Part] = []
        var start: Int?
        var position = range.lowerBound
        while position < range.upperBound {
            let lineStart = position
            let line = line(from: &position, to: range.upperBound)
            guard let isLast = Self.isDelimiter(bytes[line], delimiter) else { continue }
            if let start {
                parts.append(try part(start..<max(start, contentEnd(before: lineStart, from: start))))
                guard parts.count <= limits.batchParts else {
                    throw FormatError("The batch has more than \(limits.batchParts) parts.", offset: lineStart)
                }
            }
            if isLast { return parts }
            start = position
        }
        throw FormatError("The batch ends without its closing boundary “\(boundary)”.", offset: range.upperBound)
    }

    /// Whether a line that is a delimiter is the closing one; nil for other lines.
    private static func isDelimiter(_ line: ArraySlice<UInt8>, _ delimiter: [UInt8]) -> Bool? {
        guard line.starts(with: delimiter) else { return nil }
        var rest = line.dropFirst(delimiter.count)
        let isLast = rest.starts(with: [0x2D, 0x2D])
        if isLast { rest = rest.dropFirst(2) }
        return rest.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? isLast : nil
    }

    /// The line end before a delimiter belongs to the delimiter.
    private func contentEnd(before position: Int, from start: Int) -> Int {
        guard position > start, bytes[position - 1] == 0x0A else { return position }
        return position - 1 > start && bytes[position - 2] == 0x0D ? position - 2 : position - 1
    }

    private func part(_ range: Range<Int>) throws(FormatError) -> Part {
        var position = range.lowerBound
        let headers = try headers(from: &position, to: range.upperBound)
        return Part(headers: headers, content: position..<range.upperBound)
    }

    /// Takes header lines and the empty line behind them.
    private func headers(from position: inout Int, to end: Int) throws(FormatError) -> [(String, String)] {
        var headers: [(String, String)] = []
        while position < end {
            let start = position
            let line = line(from: &position, to: end)
            if line.isEmpty { break }
            guard line.count <= limits.batchHeaderBytes else {
                throw FormatError("A header of a part of the batch is too long.", offset: start)
            }
            if let last = headers.last, bytes[line.lowerBound] == 0x20 || bytes[line.lowerBound] == 0x09 {
                // A line that continues: [RFC 9112, section 5.2]
                headers[headers.count - 1].1 = last.1 + " " + trimmed(line)
                guard headers[headers.count - 1].1.utf8.count <= limits.batchHeaderBytes else {
                    throw FormatError("A header of a part of the batch is too long.", offset: start)
                }
                continue
            }
            guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound else {
                throw FormatError("“\(text(line).prefix(40))” is not a header.", offset: start)
            }
            headers.append((text(line.lowerBound..<colon), trimmed(colon + 1..<line.upperBound)))
            // The length of the body is not counted: who writes a part adds it.
            let counted = headers.count - (Batch.header("Content-Length", in: headers) == nil ? 0 : 1)
            guard counted <= limits.batchPartHeaders else {
                throw FormatError("A part of the batch has too many headers.", offset: start)
            }
        }
        return headers
    }

    /// Takes a line; its end is not part of the range.
    private func line(from position: inout Int, to end: Int) -> Range<Int> {
        let start = position
        guard let newline = bytes[start..<end].firstIndex(of: 0x0A) else {
            position = end
            return start..<end
        }
        position = newline + 1
        return start..<(newline > start && bytes[newline - 1] == 0x0D ? newline - 1 : newline)
    }

    /// The text without white space around it.
    private func trimmed(_ range: Range<Int>) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = bytes[range].firstIndex { !isSpace($0) } ?? range.upperBound
        let end = bytes[range].lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        return text(start..<max(start, end))
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
