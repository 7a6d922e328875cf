import ByteStreams
import HTTPTypes
import ODataSQLite
import ODataStores
import Testing

@Suite("Types and names of streams")
struct StreamNameTests {
    /// `Docs`, whose streams have their type and their name in columns.
    private func file(hasMediaFolder: Bool = false, columns: (type: String?, name: String?) = ("MimeType", "FileName"))
        throws -> PublishedFile
    {
        let media = MediaColumn(set: "Docs", column: "Data", typeColumn: columns.type, nameColumn: columns.name)
        return try PublishedFile(
            hasMediaFolder: hasMediaFolder,
            also: "CREATE TABLE Docs (ID INTEGER PRIMARY KEY, MimeType TEXT, FileName TEXT, Data BLOB);",
            configureStore: { $0.media = [media] })
    }

    private static let names = ["Content-Type", "Content-Disposition"]

    private func stored(_ response: String) -> String {
        response.split(separator: "\n").prefix(3).joined(separator: "\n")
    }

    @Test("a new stream sets the columns, and a read tells them", arguments: [false, true])
    func created(hasMediaFolder: Bool) async throws {
        let file = try file(hasMediaFolder: hasMediaFolder)
        let made = try await file.responseText("POST Docs\nContent-Type: image/png\nSlug: ../p%C3%A4ge%22.png\n\nbytes")
        #expect(made.contains(#""MimeType":"image/png","FileName":"päge\".png""#), "\(made)")
        let read = try await file.responseText("GET Docs(1)/$value", showing: Self.names)
        #expect(
            stored(read) == """
                200
                Content-Type: image/png
                Content-Disposition: inline; filename="p_ge_.png"; filename*=UTF-8''p%C3%A4ge%22.png
                """)
        _ = try await file.responseText("PUT Docs(1)/$value\nContent-Type: text/html\n\n<p>")
        let replaced = try await file.responseText("GET Docs(1)/$value", showing: Self.names)
        #expect(replaced.contains("Content-Type: text/html\nContent-Disposition: attachment; filename="), "\(replaced)")
    }

    @Test(
        "names go out safely",
        arguments: [
            ("a.png", #"inline; filename="a.png""#), ("a b.png", #"inline; filename="a b.png""#),
            ("/etc/x.png", #"inline; filename="x.png""#), ("..", "-"), ("", "-"),
            ("a\r\nX: y.png", #"inline; filename="aX: y.png""#),
            ("a\"; x=\"b", #"inline; filename="a_; x=_b"; filename*=UTF-8''a%22%3B%20x%3D%22b"#),
            ("日.png", #"inline; filename="_.png"; filename*=UTF-8''%E6%97%A5.png"#),
        ])
    func names(name: String, disposition: String) async throws {
        let file = try file()
        let text = name.replacing("'", with: "''")
        try file.execute("INSERT INTO Docs VALUES (1, 'image/png', '\(text)', x'00')")
        let read = try await file.responseText("GET Docs(1)/$value", showing: ["Content-Disposition"])
        #expect(read.split(separator: "\n")[1] == "Content-Disposition: \(disposition)", "\(read)")
    }

    @Test(
        "what is not a media type in the column is passed over",
        arguments: [
            "NULL", "''", "'png'", "7", "x'2F'", "'a/b' || char(10) || 'X: y'", "'image/*'", "'*/*'", "'text/html;a='",
            "'text/html; a=\"b'", "'a b/c'", "'a/b/c'", "'a/b, c/d'", "' a/b'", "'ä/b'", "'a/b' || char(0)",
        ])
    func badType(value: String) async throws {
        let file = try file()
        try file.execute("INSERT INTO Docs VALUES (1, \(value), NULL, x'89504E470D0A1A0A')")
        let read = try await file.responseText("GET Docs(1)/$value", showing: Self.names)
        #expect(stored(read) == "200\nContent-Type: image/png\nContent-Disposition: -", "\(read)")
    }

    @Test(
        "columns that cannot have them are refused by name",
        arguments: [("Nothing", nil), (nil, "ID"), ("Data", nil), ("ID", "FileName")] as [(String?, String?)])
    func badColumns(type: String?, name: String?) throws {
        let error = #expect(throws: ODataError.self) { _ = try file(columns: (type, name)) }
        #expect(error?.code == .badRequest)
    }

    private static let office = "application/vnd.openxmlformats-officedocument."

    @Test(
        "documents are told from plain zip files", arguments: [false, true],
        [
            (["[Content_Types].xml", "_rels/.rels", "word/document.xml"], office + "wordprocessingml.document"),
            (["_rels/.rels", "docProps/app.xml", "xl/workbook.xml"], office + "spreadsheetml.sheet"),
            (["[Content_Types].xml", "ppt/presentation.xml"], office + "presentationml.presentation"),
            (["mimetypeapplication/vnd.oasis.opendocument.text"], "application/vnd.oasis.opendocument.text"),
            (["mimetypeapplication/epub+zip"], "application/epub+zip"), (["a.txt", "word/a.txt"], "application/zip"),
            (["[Content_Types].xml"], "application/zip"), ([], "application/zip"),
        ])
    func documents(hasMediaFolder: Bool, _ document: (names: [String], type: String)) async throws {
        let file = try file(hasMediaFolder: hasMediaFolder)
        var zip = ""
        for name in document.names.isEmpty ? [""] : document.names {
            zip += "PK\u{3}\u{4}" + String(repeating: "\u{0}", count: 22)
            zip += "\(Character(Unicode.Scalar(UInt8(name.utf8.count))))\u{0}\u{0}\u{0}\(name)content"
        }
        _ = try await file.responseText("POST Docs\nContent-Type: application/octet-stream\n\n\(zip)")
        let read = try await file.responseText("GET Docs(1)/$value", showing: ["Content-Type"])
        #expect(read.split(separator: "\n")[1] == "Content-Type: \(document.type)", "\(read)")
    }
}
