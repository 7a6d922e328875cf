/// Determines the media type of documents that are zip files from the names of their entries.
///
/// [ISO/IEC 29500-2; OpenDocument 1.3, part 2, section 3.3; EPUB 3.3, section 4.2.2]
enum ZipContent {
    static let signature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    /// The number of first bytes that are examined.
    static let length = 65_536

    /// The offset of the name in a header.
    private static let nameOffset = 30
    private static let office = "application/vnd.openxmlformats-officedocument."
    private static let open = "application/vnd.oasis.opendocument."

    /// A folder, or the text of the first file, with the code of the type in ``telling(_:)``.
    private static let folders: [(name: String, code: String, type: String)] = [
        ("word/", "docx", office + "wordprocessingml.document"), ("xl/", "xlsx", office + "spreadsheetml.sheet"),
        ("ppt/", "pptx", office + "presentationml.presentation"),
    ]
    private static let texts: [(code: String, type: String)] = [
        ("odt", open + "text"), ("ods", open + "spreadsheet"), ("odp", open + "presentation"),
        ("odg", open + "graphics"), ("epub", "application/epub+zip"),
    ]
    /// The entry of every document of Office Open XML.
    private static let parts = ["[Content_Types].xml", "_rels/.rels", "docProps/"]

    /// The media type of a zip file with these first bytes; nil for other zip files.
    static func mediaType(of head: [UInt8]) -> String? {
        guard let code = code(of: head) else { return nil }
        return folders.first { $0.code == code }?.type ?? texts.first { $0.code == code }?.type
    }

    /// A few bytes that identify the same media type as `head`, to be stored instead; nil for other content than
    /// documents.
    static func telling(_ head: [UInt8]) -> [UInt8]? {
        code(of: head).map { signature + [UInt8](repeating: 0, count: nameOffset - signature.count) + [0] + $0.utf8 }
    }

    private static func code(of head: [UInt8]) -> String? {
        guard head.starts(with: signature), head.count > nameOffset else { return nil }
        // No name begins with NUL.
        if head[nameOffset] == 0 { return String(decoding: head[(nameOffset + 1)...], as: UTF8.self) }
        let first = head[nameOffset...]
        let mark = Array("mimetype".utf8)
        if first.starts(with: mark) {
            let text = first.dropFirst(mark.count)
            let known = texts.filter { text.starts(with: $0.type.utf8) }
            return known.max { $0.type.utf8.count < $1.type.utf8.count }?.code
        }
        let names = names(in: head)
        guard names.contains(where: { name in parts.contains { name.hasPrefix($0) } }) else { return nil }
        return folders.first { folder in names.contains { $0.hasPrefix(folder.name) } }?.code
    }

    /// The names in the complete headers.
    private static func names(in head: [UInt8]) -> [String] {
        var names: [String] = []
        var position = 0
        while let start = head[position...].firstRange(of: signature)?.lowerBound, start + nameOffset <= head.count {
            position = start + nameOffset
            let length = Int(head[start + 26]) | Int(head[start + 27]) << 8
            guard position + length <= head.count else { break }
            names.append(String(decoding: head[position..<position + length], as: UTF8.self))
        }
        return names
    }
}
