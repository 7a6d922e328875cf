/// Determines a media type from the first bytes of a stream.
enum MediaTypeSniffer {
    /// The number of bytes that suffice for all but zip files; a reference to a stream in a file has as many.
    static let length = StreamReference.maximalLength

    /// For unknown bytes.
    static let unknown = "application/octet-stream"

    private static let signatures: [(offset: Int, bytes: [UInt8], type: String)] = [
        (0, [0xFF, 0xD8, 0xFF], "image/jpeg"),
        (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
        (0, Array("GIF87a".utf8), "image/gif"),
        (0, Array("GIF89a".utf8), "image/gif"),
        (8, Array("WEBP".utf8), "image/webp"),
        (8, Array("WAVE".utf8), "audio/wav"),
        (0, Array("%PDF-".utf8), "application/pdf"),
        (0, [0x49, 0x49, 0x2A, 0x00], "image/tiff"),
        (0, [0x4D, 0x4D, 0x00, 0x2A], "image/tiff"),
        (0, ZipContent.signature, "application/zip"),
        (0, [0x1F, 0x8B], "application/gzip"),
        (4, Array("ftypheic".utf8), "image/heic"),
        (4, Array("ftypavif".utf8), "image/avif"),
        (4, Array("ftypqt".utf8), "video/quicktime"),
        (4, Array("ftyp".utf8), "video/mp4"),
        (0, Array("ID3".utf8), "audio/mpeg"),
        (0, Array("OggS".utf8), "application/ogg"),
        (0, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "application/x-ole-storage"),
    ]

    /// `image/jpeg`; `application/octet-stream` for unknown bytes.
    static func mediaType(of head: [UInt8]) -> String {
        let head = StreamReference.head(inRecord: head) ?? head
        if let type = ZipContent.mediaType(of: head) { return type }
        if head.starts(with: Array("BM".utf8)), head.dropFirst(6).starts(with: [0, 0, 0, 0]) { return "image/bmp" }
        let found = signatures.first { head.dropFirst($0.offset).starts(with: $0.bytes) }
        return found?.type ?? unknown
    }
}
