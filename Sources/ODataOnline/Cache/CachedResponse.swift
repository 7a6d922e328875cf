import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport

/// A response of the cache, its file open.
struct CachedResponse: Sendable {
    /// What is kept besides the body.
    struct Head: Codable, Sendable {
        struct Field: Codable {
            var name: String
            var value: String
        }

        var key: String
        var url: String
        var fields: [Field]
        /// What the request had in the headers that `Vary` names.
        var asked: [Field]
    }

    let head: Head
    let body: ByteContent

    var fields: HTTPFields { HTTPFields(passing: head.fields.map { ($0.name, $0.value) }) }

    /// Nil if the file is not there, not whole, or none of these.
    init?(path: String, size: Int64) {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        guard let length = try? handle.seekToEnd(), length == size, (try? handle.seek(toOffset: 0)) != nil,
            let line = Self.line(handle), let head = try? JSONDecoder().decode(Head.self, from: line),
            let source = try? FileSource(path: path, range: Int64(line.count) + 1..<size),
            let chunks = try? source.open(at: 0)
        else { return nil }
        self.head = head
        // Opened now, so that it can be read when its file was removed.
        body = ByteContent(chunks, length: source.length)
    }

    /// The bytes before the first line end.
    private static func line(_ handle: FileHandle) -> Data? {
        var line = Data()
        while line.count < 1 << 20, let block = try? handle.read(upToCount: 4096), !block.isEmpty {
            if let end = block.firstIndex(of: 0x0A) { return line + block[..<end] }
            line += block
        }
        return nil
    }
}

extension CachedResponse.Head {
    /// The head of `response`, with the headers that are read again; nil if it must not be kept.
    ///
    /// - Parameters:
    ///   - asked: The headers of the request that are known before it is sent.
    ///   - sent: Those that it had in the end; nil where that is not known.
    ///
    /// [RFC 9111, sections 3 and 4.1]
    init?(key: String, url: String, _ response: HTTPResponse, asked: HTTPFields, sent: HTTPFields?) {
        guard response.status == .ok, !Self.forbids(response.headerFields), !Self.forbids(asked) else { return nil }
        let varying = (response.headerFields[.vary] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
        guard !varying.contains("*") else { return nil }
        let names = varying.compactMap { HTTPField.Name($0) }
        let isKnown = { (name: HTTPField.Name) in sent.map { asked[name] == $0[name] } ?? false }
        guard names.allSatisfy({ Self.ofUser.contains($0) || isKnown($0) }) else { return nil }
        self.key = key
        self.url = url
        fields = response.headerFields.filter { Self.kept.contains($0.name) }
            .map { Field(name: $0.name.rawName, value: $0.value) }
        self.asked = varying.map { name in
            Field(name: name, value: HTTPField.Name(name).flatMap { asked[$0] } ?? "")
        }
    }

    private static let kept: Set<HTTPField.Name> = [
        .contentType, .contentLanguage, .eTag, .lastModified, .oDataVersion, .dataServiceVersion, .preferenceApplied,
    ]

    /// Who asks is in the key.
    private static let ofUser: Set<HTTPField.Name> = [.authorization, .cookie]

    private static func forbids(_ fields: HTTPFields) -> Bool {
        fields[values: .cacheControl].contains { $0.lowercased().contains("no-store") }
    }

    /// Whether a request with `fields` would get this response.
    func isFor(_ fields: HTTPFields) -> Bool {
        asked.allSatisfy { field in (HTTPField.Name(field.name).flatMap { fields[$0] } ?? "") == field.value }
    }

    /// As it is before the body.
    var line: [UInt8]? { (try? JSONEncoder().encode(self)).map { Array($0) + [0x0A] } }
}
