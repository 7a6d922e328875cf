import Foundation
import ODataTransport
import Testing

@Suite("Compressed bytes are decoded, however they come")
struct InflaterTests {
    /// `{"ID":0,"Name":"Tea 0"},{"ID":1,"Name":"Tea 919"},…`
    private static let text = Array((0..<30).map { #"{"ID":\#($0),"Name":"Tea \#($0 * 7919 % 1000)"},"# }.joined().utf8)

    private static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map(Array.init) ?? [] }

    /// With the name of a file.
    private static let gzip = bytes(
        """
        H4sICAAAAAAC/3RlYS5qc29uAF3SKxICQQyE4atQo1dsZx5JVmMwKC6wYiUn2OLuFIhpGtu/ylc5y+1atnUp9/15lK08jv2yltdyfnfInshZ\
        TErUmKVK8e6zNCnDxyxdSs8+y9CCNotLabXOElJqt1lSijl4qRIgfxBUASsVoAxGBShDNjJAHWLQAQrhQQiohK+UgFIMIwXUojdaQDHaIIYp\
        Rg1imGJY/rzEHwaoYaqBSg1TjU4MU4x0YphiRBLDFCNADFMMr8QwxRj9g/EG6yku+xwDAAA=
        """)
    private static let zlib = bytes(
        """
        eNpd0isSAkEMhOGrUKNXbGceSVZjMCgusGIlJ9ji7hSIaRrbv8pXOcvtWrZ1Kff9eZStPI79spbXcn53yJ7IWUxK1JilSvHuszQpw8csXUrP\
        PsvQgjaLS2m1zhJSardZUoo5eKkSIH8QVAErFaAMRgUoQzYyQB1i0AEK4UEIqISvlIBSDCMF1KI3WkAx2iCGKUYNYphiWP68xB8GqGGqgUoN\
        U41ODFOMdGKYYkQSwxQjQAxTDK/EMMUY/YPxBt3SyxE=
        """)
    private static let bare = bytes(
        """
        XdIrEgJBDIThq1CjV2xnHklWYzAoLrBiJSfY4u4UiGka27/KVznL7Vq2dSn3/XmUrTyO/bKW13J+d8ieyFlMStSYpUrx7rM0KcPHLF1Kzz7L\
        0II2i0tptc4SUmq3WVKKOXipEiB/EFQBKxWgDEYFKEM2MkAdYtABCuFBCKiEr5SAUgwjBdSiN1pAMdoghilGDWKYYlj+vMQfBqhhqoFKDVON\
        TgxTjHRimGJEEsMUI0AMUwyvxDDFGP2D8QY=
        """)
    /// With codes that need not be told.
    private static let fixed = bytes(
        """
        q1bydFGyMtBR8kvMTVWyUgpJTVQwUKrVqQaLG6KIWxpawmWMUGQsjC3gMsYoMuam5nAZExQZM3MzuIwpioyppSlcxgxVxtAELmOOImNibAyX\
        sUCRMTY1gstYosgYmRsifIoaBIaWSIGAGgqGBohQMEQNBiNEKBiiBoOlCSIYDFHDwcIMEQ6GqAFhboEICEPUkDA3QISEIWpQmBkhgsIQNSxM\
        TRBhYYgaGCZmiMAwQg0MYwtEYBihBoaRJVKSQAsMQ0RoGKGGhqExIjSMUEPDFBEYRqiBYWmOCAwj1MCwsEQEhhFqYFgYIgLDCDUwzI0RgWGE\
        GhhmpqDAAAA=
        """)
    /// Not compressed at all.
    private static let stored: [UInt8] = [1, 3, 0, 252, 255, 1, 2, 3]
    /// `abc` behind a header with all that it may have: an extra field, a name, a comment and a checksum of its own.
    private static let longHeader: [UInt8] = [
        31, 139, 8, 30, 1, 2, 3, 4, 0, 3, 2, 0, 97, 98, 120, 0, 121, 0, 83, 140, 75, 76, 74, 6, 0, 194, 65, 36, 53, 3,
        0, 0, 0,
    ]
    /// `abc`, with a dictionary that is not told.
    private static let dictionary: [UInt8] = [
        0x78, 0xBB, 0x02, 0x4D, 0x01, 0x27, 0x4B, 0x4C, 0x4A, 0x06, 0x00, 0x02, 0x4D, 0x01, 0x27,
    ]

    private static func decoded(_ bytes: [UInt8], _ wrapping: Inflater.Wrapping, by count: Int) throws -> [UInt8] {
        let inflater = Inflater(wrapping)
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: count) {
            inflater.add(Array(bytes[start..<min(bytes.count, start + count)]))
            while let piece = try inflater.next() { decoded += piece }
        }
        try inflater.finish()
        return decoded
    }

    @Test("In all formats, by any number of bytes", arguments: [1, 2, 7, 64, 1000])
    func formats(count: Int) throws {
        let cases: [(bytes: [UInt8], wrapping: Inflater.Wrapping, expected: [UInt8])] = [
            (Self.gzip, .gzip, Self.text), (Self.zlib, .deflate, Self.text), (Self.bare, .deflate, Self.text),
            (Self.fixed, .deflate, Self.text), (Self.stored, .deflate, [1, 2, 3]),
            (Self.gzip + Self.gzip, .gzip, Self.text + Self.text), (Self.gzip + [0, 0, 0], .gzip, Self.text),
            (Self.gzip + [0x1F, 0], .gzip, Self.text), (Self.gzip + [0x1F], .gzip, Self.text), ([], .gzip, []),
            ([], .deflate, []), (Self.longHeader + Self.gzip, .gzip, Array("abc".utf8) + Self.text),
            (Self.zlib + [1, 2, 3], .deflate, Self.text), (Self.bare + Self.zlib, .deflate, Self.text),
        ]
        for (bytes, wrapping, expected) in cases {
            let decoded = try Self.decoded(bytes, wrapping, by: count)
            #expect(decoded == expected)
        }
    }

    @Test(
        "What is cut anywhere is told",
        arguments: [(gzip, Inflater.Wrapping.gzip), (longHeader, .gzip), (zlib, .deflate), (fixed, .deflate)])
    func cut(bytes: [UInt8], wrapping: Inflater.Wrapping) {
        for count in 1..<bytes.count {
            #expect(throws: InflateError.self) { try Self.decoded(Array(bytes.prefix(count)), wrapping, by: 50) }
        }
    }

    @Test(
        "What cannot be decoded is told, and stays so",
        arguments: [
            ([1, 2, 3], Inflater.Wrapping.gzip, "The bytes are not gzip."), (zlib, .gzip, "The bytes are not gzip."),
            (dictionary, .deflate, "A preset dictionary is needed."),
            ([7, 0, 0], .deflate, "The compressed bytes are not valid: invalid block type."),
            ([0x78, 0x9C, 7, 0, 0], .deflate, "The compressed bytes are not valid: invalid block type."),
            (
                gzip.dropLast(8) + [0, 0, 0, 0, 0, 0, 0, 0], .gzip,
                "The compressed bytes are not valid: incorrect data check."
            ),
        ])
    func refused(bytes: [UInt8], wrapping: Inflater.Wrapping, message: String) {
        let inflater = Inflater(wrapping)
        inflater.add(bytes)
        for _ in 0..<2 {
            let error = #expect(throws: InflateError.self) { while try inflater.next() != nil {} }
            #expect(error?.description == message)
        }
        #expect(throws: InflateError.self) { try inflater.finish() }
    }

    @Test("A bit that is wrong is told, or changes nothing; and nothing crashes", arguments: [(gzip, 34), (zlib, 2)])
    func damaged(bytes: [UInt8], header: Int) {
        for index in header..<bytes.count {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                let decoded = try? Self.decoded(damaged, bytes == Self.gzip ? .gzip : .deflate, by: 1000)
                #expect(decoded == nil || decoded == Self.text)
            }
        }
    }

    @Test("Much that comes of little is given out in pieces")
    func pieces() throws {
        // A block of fixed codes: `a`, then 258 times the byte before, again and again: 300 KiB.
        var bits: [UInt8] = [1, 1, 0] + Self.code(0x30 + 97, 8)
        for _ in 0..<1200 { bits += Self.code(0b1100_0101, 8) + Self.code(0, 5) }
        bits += Self.code(0, 7)
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(bits.count, start + 8)].enumerated().reduce(UInt8(0)) {
                $0 | $1.element << UInt8($1.offset)
            }
        }
        let inflater = Inflater(.deflate)
        var lengths: [Int] = []
        inflater.add(bytes)
        while let piece = try inflater.next() { lengths.append(piece.count) }
        try inflater.finish()
        let total = lengths.reduce(0, +)
        #expect(total == 309_601)
        #expect(lengths.allSatisfy { $0 < 66_000 })
    }

    /// From the highest bit on.
    private static func code(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(value >> $0 & 1) }
    }
}
