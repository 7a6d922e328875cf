import ByteStreams
import ODataModel
import ODataStores

/// Reading media streams and stream properties.
enum StreamReadChecks {
    private static let section = "OData-Protocol 11.2.4"
    private static let first = ConformanceSample.photos[0]

    static let all: [ConformanceCheck] = [
        whole("Photos(1)/$value", first, type: "image/png"), whole("Photos(1)", first, type: "image/png"),
        whole("Photos(2)/$value", ConformanceSample.photos[1], type: "image/jpeg"),
        whole("Photos(3)/$value", ConformanceSample.photos[2], type: nil), whole("Photos(4)/$value", [], type: nil),
        whole("Categories(1)/Image", ConformanceSample.image, type: "image/gif"),
        whole("Products(7)/Photos(3)/$value", ConformanceSample.photos[2], type: nil),
        part("from an offset to the end", Array(first[100...]), offset: 100) { $0.offset = 100 },
        part("so many bytes from an offset", Array(first[10..<15]), offset: 10) { ($0.offset, $0.count) = (10, 5) },
        part("more bytes than there are", Array(first[990...]), offset: 990) { ($0.offset, $0.count) = (990, 500) },
        part("the last byte", [first[999]], offset: 999) { $0.offset = 999 },
        part("the last bytes", Array(first[993...]), offset: 993) { $0.suffixLength = 7 },
        .read("A range behind the end is refused", section: "RFC 9110 15.5.17") { session in
            try await session.expectError(.rangeNotSatisfiable) {
                _ = try await session.stream("Photos(1)/$value") { $0.offset = 1_000 }
            }
        },
        .read("A range of the present version", section: "RFC 9110 13.1.5") { session in
            let etag = try await session.streamTag("Photos(1)/$value")
            let part = try await session.stream("Photos(1)/$value") { ($0.offset, $0.ifRange) = (500, etag) }
            try session.expect(
                part.bytes == Array(first[500...]) && part.result.offset == 500, "the bytes from 500 on",
                found: part.text)
        },
        .read("A range of another version: the whole stream is returned", section: "RFC 9110 13.1.5") { session in
            let part = try await session.stream("Photos(1)/$value") { ($0.offset, $0.ifRange) = (500, "\"other\"") }
            try session.expect(part.bytes == first && part.result.offset == 0, "all 1000 bytes", found: part.text)
        },
        .read("If-None-Match with the present ETag of a stream: not modified", section: "OData-Protocol 8.2.5") {
            session in
            let etag = try await session.streamTag("Photos(1)/$value")
            let same = try await session.stream("Photos(1)/$value") { $0.ifNoneMatch = etag }
            try session.expect(same.result.isNotModified, "not modified", found: same.text)
            let other = try await session.stream("Photos(1)/$value") { $0.ifNoneMatch = "\"other\"" }
            try session.expect(!other.result.isNotModified && other.bytes == first, "the stream", found: other.text)
        },
        .read("If-Match with another ETag than a stream has: refused", section: "OData-Protocol 8.2.4") { session in
            try await session.expectError(.preconditionFailed) {
                _ = try await session.stream("Photos(1)/$value") { $0.ifMatch = "\"other\"" }
            }
        },
        .read("A media entity reports type and ETag of its stream", section: "OData-JSON 4.6.14") { session in
            let media = try await session.entity("Photos(1)").media
            let etag = try await session.streamTag("Photos(1)/$value")
            try session.expect(media?.contentType == "image/png", "image/png", found: media?.contentType ?? "none")
            try session.expect(media?.etag == etag, etag, found: media?.etag ?? "none")
        },
        .read("A media entity has its stream in no property", section: section) { session in
            try await session.expect("Photos(1)", .line("PhotoID=1 ProductID=1 Caption='Tea'"))
            try await session.expect("Categories(1)?$select=Name,CategoryID", .line("CategoryID=1 Name='Beverages'"))
        },
        .read("$expand=$value brings the stream of a media entity", section: "OData-JSON 10") { session in
            let media = try await session.entity("Photos(1)?$expand=$value").media
            try session.expect(media?.content == first, "\(first.count) bytes", found: "\(media?.content?.count ?? -1)")
            try session.expect(media?.contentType == "image/png", "image/png", found: media?.contentType ?? "none")
        },
        .read("$expand brings the stream of a property", section: "OData-JSON 9") { session in
            let image = try await session.entity("Categories(1)?$expand=Image&$select=Name").streams["Image"]?.content
            try session.expect(
                image == ConformanceSample.image, "\(ConformanceSample.image.count) bytes",
                found: "\(image?.count ?? -1)")
        },
        .read("$expand=$value of what is expanded", section: "OData-URL 5.1.3") { session in
            let product = try await session.entity("Products(7)?$expand=Photos($expand=$value)")
            guard case .many(let photos, _)? = product.expanded["Photos"] else {
                throw ConformanceFailure(expected: "photos", found: "none")
            }
            let lengths = photos.compactMap(\.media?.content?.count)
            try session.expect(
                photos.contains { $0.media?.content == ConformanceSample.photos[2] }, "the third photo",
                found: "\(lengths)")
        },
        missing("of a media entity that is not there", "Photos(99)/$value"),
        missing("of an entity that is not there", "Categories(99)/Image"),
    ]

    private static func whole(_ url: String, _ bytes: [UInt8], type: String?) -> ConformanceCheck {
        .read("Stream \(url)", section: section) { session in
            let stream = try await session.stream(url)
            try session.expect(stream.bytes == bytes, "\(bytes.count) bytes", found: stream.text)
            try session.expect(stream.result.offset == 0, "offset 0", found: "\(stream.result.offset)")
            let total = stream.result.totalLength ?? stream.result.content.length
            try session.expect(total == Int64(bytes.count), "length \(bytes.count)", found: "\(total ?? -1)")
            guard let type else { return }
            try session.expect(stream.result.contentType == type, type, found: stream.result.contentType ?? "none")
        }
    }

    private static func part(
        _ what: String, _ bytes: [UInt8], offset: Int64, _ prepare: @escaping @Sendable (inout StreamRequest) -> Void
    ) -> ConformanceCheck {
        .read("Part of a stream: \(what)", section: "RFC 9110 14.2") { session in
            let stream = try await session.stream("Photos(1)/$value", prepare)
            try session.expect(stream.bytes == bytes, "\(bytes.count) bytes of the stream", found: stream.text)
            try session.expect(stream.result.offset == offset, "offset \(offset)", found: stream.text)
            let total = stream.result.totalLength
            try session.expect(total == 1_000, "total length 1000", found: "\(total ?? -1)")
        }
    }

    private static func missing(_ what: String, _ url: String) -> ConformanceCheck {
        .read("A stream \(what) is not found", section: section) { session in
            try await session.expectError(.notFound) { _ = try await session.stream(url) }
        }
    }
}

/// A stream that was read to its end.
struct ReceivedStream {
    var result: StreamResult
    var bytes: [UInt8]

    var text: String { "\(bytes.count) bytes from \(result.offset)\(result.isNotModified ? ", not modified" : "")" }
}

extension ConformanceSession {
    func stream(
        _ url: String, _ prepare: (inout StreamRequest) -> Void = { _ in }
    ) async throws -> ReceivedStream {
        var request = StreamRequest(try parser.path(url))
        prepare(&request)
        let result = try await store.readStream(request)
        let bytes = result.isNotModified ? [] : try await result.content.collect(upTo: 64 << 20)
        return ReceivedStream(result: result, bytes: bytes)
    }

    /// The strong ETag of a stream.
    func streamTag(_ url: String) async throws -> String {
        let etag = try await stream(url).result.etag
        guard let etag, etag.hasPrefix("\"") else {
            throw ConformanceFailure(expected: "a strong ETag of \(url)", found: etag ?? "none")
        }
        return etag
    }
}
