import ByteStreams
import Foundation
import ODataModel
import ODataQuery
import TestSupport
import Testing

@testable import ODataFormats
@testable import ODataMetadata

/// What a recorded message turned out to be.
private enum Meaning: Equatable {
    case nothing
    case entities(rows: Int, inPayload: Int)
    case payload(EntityPayload)
    case value(EdmValue)
    case links([String])
    case error(ServiceError)
    case stream(Int)
    case count(Int64)
    case batch([Meaning])
}

@Suite("Recorded messages")
struct RecordedTests {
    static let folder = TestData.url("recorded")?.path

    @Test(
        "Every message becomes values of the model or an error",
        .enabled(if: RecordedTests.folder != nil, Comment(rawValue: TestData.absence)))
    func all() async throws {
        let model = try RecordedModel.make()
        let messages = try RecordedMessage.all(in: try #require(Self.folder))
        #expect(messages.count == 218)
        var counts: [String: Int] = [:]
        for message in messages {
            let reader = MessageReader(model: model, uri: message.uri)
            let name = "\(message.test) \(message.index)"
            do {
                let meaning = try await reader.read(
                    Array((message.content ?? "").utf8), type: message.contentType, isRequest: message.method != nil,
                    status: message.statusCode ?? 0)
                check(meaning, name: name)
                counts[label(meaning), default: 0] += 1
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
        #expect(counts["error"] == 1)
        #expect(counts["batch"] == 26)
        #expect(counts["links"] == 1)
        #expect(counts["payload"] == 23)
        #expect(counts["value"] == 10)
        #expect(counts["stream"] == 1)
        #expect(counts["count"] == 1)
        #expect(counts["entities"] == 79)
    }

    private func label(_ meaning: Meaning) -> String { String("\(meaning)".prefix { $0 != "(" }) }

    private func check(_ meaning: Meaning, name: String) {
        switch meaning {
        case .entities(let rows, let entries): #expect(rows == entries, "\(name)")
        case .payload(let payload): #expect(!payload.properties.isEmpty || !payload.bindings.isEmpty, "\(name)")
        case .error(let error): #expect(!error.message.isEmpty, "\(name)")
        case .batch(let parts):
            #expect(!parts.isEmpty, "\(name)")
            for part in parts { check(part, name: name) }
        case .nothing, .value, .links, .stream, .count: break
        }
    }
}

/// Reads a message as its content type says.
private struct MessageReader {
    let model: EdmModel
    let uri: String

    func read(_ bytes: [UInt8], type: String, isRequest: Bool, status: Int) async throws -> Meaning {
        guard !bytes.isEmpty else { return .nothing }
        if let format = BatchFormat(contentType: type), case .multipart = format {
            return try await batch(bytes, format: format, isRequest: isRequest)
        }
        if type.hasPrefix("text/plain") {
            let text = String(decoding: bytes, as: UTF8.self)
            return Int64(text).map(Meaning.count) ?? .stream(bytes.count)
        }
        guard let format = LegacyFormat(contentType: type) else { throw FormatError("No format for \(type)") }
        let text = String(decoding: bytes, as: UTF8.self)
        return format == .atom
            ? try await atom(bytes, text: text, isRequest: isRequest)
            : try await json(bytes, text: text, isRequest: isRequest)
    }

    private func batch(_ bytes: [UInt8], format: BatchFormat, isRequest: Bool) async throws -> Meaning {
        var parts: [Meaning] = []
        if isRequest {
            for part in try Batch.readRequests(bytes, format: format) {
                let reader = MessageReader(model: model, uri: part.url)
                parts.append(
                    try await reader.read(
                        part.body, type: Batch.header("Content-Type", in: part.headers) ?? "", isRequest: true,
                        status: 0))
            }
        } else {
            for response in try Batch.readResponses(bytes, format: format) {
                parts.append(
                    try await read(
                        response.body, type: Batch.header("Content-Type", in: response.headers) ?? "", isRequest: false,
                        status: response.status))
            }
        }
        return .batch(parts)
    }

    private func atom(_ bytes: [UInt8], text: String, isRequest: Bool) async throws -> Meaning {
        if let error = AtomPayload.error(bytes) { return .error(error) }
        if let found = try? AtomPayload.references(bytes) { return .links(found.references) }
        guard let root = text.firstMatch(of: #/<(feed|entry)/#) else { return .value(try value(bytes, text: text)) }
        let isFeed = root.1 == "feed"
        let type = try type(in: text)
        if isRequest { return .payload(try AtomPayload.entity(bytes, type: type, model: model)) }
        let reader = AtomEntityReader(
            text, shape: RecordedModel.shape(type, model: model), kind: isFeed ? .collection : .entity, chunk: 500)
        let blocks = try await reader.allBlocks()
        // No row without a value of its type.
        for block in blocks {
            for row in block.rows where block.slots[Int(row.firstSlot)...].prefix(16).allSatisfy({ $0 == .absent }) {
                throw FormatError("A row has no values.")
            }
        }
        return .entities(rows: blocks.map(\.rows.count).reduce(0, +), inPayload: text.ranges(of: "<entry").count)
    }

    /// The type of the first entry that is not inside another, or else the type of the set in the address.
    private func type(in text: String) throws -> EdmStructuredType {
        let path = uri.prefix { $0 != "?" }.split(separator: "/")
        for segment in path.reversed() {
            let name = String(segment.prefix { $0 != "(" })
            if let set = model.entitySet(named: name) { return set.type }
            if let type = model.structuredType(named: EdmQualifiedName(name)) { return type }
            for navigation in model.entitySets.flatMap(\.type.navigationProperties) where navigation.name == name {
                if let type = model.target(of: navigation) { return type }
            }
        }
        let term = text.firstMatch(of: #/<category term="([^"]*)"/#).map { EdmQualifiedName(String($0.1)) }
        // A feed without entries in the response to a batch: any type will do.
        let name = term ?? EdmQualifiedName("NorthwindModel.Product")
        guard let type = model.structuredType(named: name) else { throw FormatError("No type: \(uri)") }
        return type
    }

    private func value(_ bytes: [UInt8], text: String) throws -> EdmValue {
        let type = text.firstMatch(of: #/m:type="([^"]*)"/#).flatMap {
            LegacyTypeName.type(named: String($0.1), model: model)
        }
        let declared = type ?? .string
        return try AtomPayload.value(
            bytes, type: text.contains("<element") ? .collection(declared) : declared, model: model)
    }

    private func json(_ bytes: [UInt8], text: String, isRequest: Bool) async throws -> Meaning {
        let movie = try #require(model.entitySet(named: "Movies"))
        if isRequest { return .payload(try JSONPayload.entity(bytes, type: movie.type, model: model)) }
        if let error = JSONPayload.error(bytes) { return .error(error) }
        if text.contains("#Edm.") {
            let type = text.contains("#Edm.Int32") ? EdmTypeReference.int32 : .double
            return .value(try JSONPayload.value(bytes, type: type, model: model))
        }
        let kind: PayloadKind = text.contains("\"value\":[") ? .collection : .entity
        let shape = RecordedModel.shape(movie.type, model: model)
        let entities = try await JSONEntityReader(text, shape: shape, kind: kind).entities()
        let years = text.ranges(of: "\"Year\"").count
        return .entities(rows: entities.filter { $0["Year"] != nil }.count, inPayload: years)
    }
}
