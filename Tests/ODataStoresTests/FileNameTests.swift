import ODataStores
import Testing

@Suite("Names of files")
struct FileNameTests {
    static let names: [(String, String?)] = [
        ("valve.png", "valve.png"), ("Zählerstand März.pdf", "Zählerstand März.pdf"), ("a b;c.txt", "a b;c.txt"),
        ("/etc/passwd", "passwd"), ("..\\..\\boot.ini", "boot.ini"), ("a/b\\c.png", "c.png"), ("photos/", "photos"),
        ("a\u{0}b\r\nc\u{7F}\u{9F}\u{2028}.png", "abc.png"), ("\u{202E}", "\u{202E}"), ("...", "..."), (".x", ".x"),
        // A slash with an accent is a slash.
        ("a/\u{301}b.png", "\u{301}b.png"),
        ("", nil), (".", nil), ("..", nil), ("/", nil), ("a/..", nil), ("\r\n", nil), ("\u{1}.", nil),
    ]

    @Test("The last part without control characters is what is kept", arguments: names)
    func kept(text: String, name: String?) { #expect(text.fileName == name) }

    @Test("At most 255 bytes are, whole characters of them, and the extension")
    func cut() {
        let most = String(repeating: "a", count: 255)
        #expect(most.fileName == most)
        #expect((most + "a").fileName == most)
        #expect((most + ".png").fileName == String(repeating: "a", count: 251) + ".png")
        // Characters of 25 bytes.
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        #expect(family.utf8.count == 25)
        let (many, ten) = (String(repeating: family, count: 11), String(repeating: family, count: 10))
        #expect(many.fileName == ten)
        #expect((many + ".png").fileName == ten + ".png")
        #expect((".png" + most).fileName == ".png" + String(repeating: "a", count: 251))
        #expect(("a" + String(repeating: "\u{301}", count: 200)).fileName == nil)
    }
}
