import ByteStreams
import ODataModel
import ODataStores

/// Creating, replacing and deleting streams.
enum StreamChangeChecks {
    private static let section = "OData-Protocol 11.4.7"
    private static let png: [UInt8] = Array(ConformanceSample.photos[0].prefix(50))

    static let all: [ConformanceCheck] = [
        .change("Create a media entity with its stream", section: section) { session in
            let url = try await session.createMedia("Photos", png, type: "image/png")
            let stream = try await session.stream("\(url)/$value")
            try session.expect(stream.bytes == png, "the bytes that were sent", found: stream.text)
            try session.expect(
                stream.result.contentType == "image/png", "image/png", found: stream.result.contentType ?? "none")
            try await session.expect("Photos/$count", .line("5"))
            try await session.expect("\(url)?$select=Caption", .line("Caption=null"))
        },
        .change("Create a media entity, then give it properties", section: section) { session in
            let url = try await session.createMedia("Photos", png, type: "image/png")
            let draft: EntityDraft = ["Caption": "New"]
            try await session.update(url, draft.bound("Product", to: "Products(2)"))
            try await session.expect("\(url)?$select=Caption,ProductID", .line("ProductID=2 Caption='New'"))
            try await session.expect("Products(2)/Photos?$select=Caption", .line("Caption='New'"))
        },
        .change("Create a media entity in a related collection", section: section) { session in
            let url = try await session.createMedia("Products(2)/Photos", png, type: "image/png")
            try await session.expect("\(url)/Product?$select=Name", .line("Name='Chang'"))
        },
        .change("Create a media entity from a stream of unknown length", section: section) { session in
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let content = try ByteContent(DataSource(bytes).open(at: 0), length: nil)
            let result = try await session.change(
                "Photos", .createMedia(MediaContent(content, contentType: "application/octet-stream"), slug: "big"))
            let stream = try await session.stream("\(session.url(of: result))/$value")
            try session.expect(stream.bytes == bytes, "the 3000000 bytes that were sent", found: stream.text)
        },
        .change("Replace the stream of a media entity", section: section) { session in
            let before = try await session.streamTag("Photos(1)/$value")
            _ = try await session.replace("Photos(1)/$value", png, type: "image/png")
            let stream = try await session.stream("Photos(1)/$value")
            try session.expect(stream.bytes == png, "the new bytes", found: stream.text)
            try session.expect(stream.result.etag != before, "another ETag than \(before)", found: stream.text)
            try await session.expect("Photos(1)?$select=Caption", .line("Caption='Tea'"))
        },
        .change("Replace a stream with one of the same length", section: section) { session in
            let before = try await session.streamTag("Photos(3)/$value")
            _ = try await session.replace("Photos(3)/$value", Array("green pears".utf8), type: "text/plain")
            let stream = try await session.stream("Photos(3)/$value")
            try session.expect(stream.bytes == Array("green pears".utf8), "green pears", found: stream.text)
            try session.expect(stream.result.etag != before, "another ETag than \(before)", found: before)
        },
        .change("Replace a stream with the present ETag", section: "OData-Protocol 11.4.1.1") { session in
            let etag = try await session.streamTag("Photos(1)/$value")
            _ = try await session.replace("Photos(1)/$value", png, type: "image/png", ifMatch: etag)
            let stream = try await session.stream("Photos(1)/$value")
            try session.expect(stream.bytes == png, "the new bytes", found: stream.text)
        },
        .change(
            "Replace a stream with an ETag of the past is refused", section: "OData-Protocol 11.4.1.1",
            needs: [.newETags]
        ) { session in
            let etag = try await session.streamTag("Photos(1)/$value")
            _ = try await session.replace("Photos(1)/$value", png, type: "image/png")
            try await session.expectError(.preconditionFailed) {
                _ = try await session.replace("Photos(1)/$value", [1], type: "image/png", ifMatch: etag)
            }
            let stream = try await session.stream("Photos(1)/$value")
            try session.expect(stream.bytes == png, "the bytes of the first replacement", found: stream.text)
        },
        .change("Replace the stream of nothing is refused", section: section) { session in
            try await session.expectError(.notFound) {
                _ = try await session.replace("Photos(99)/$value", png, type: "image/png")
            }
        },
        .change("Replace with nothing: an empty stream", section: section) { session in
            _ = try await session.replace("Photos(1)/$value", [], type: "image/png")
            let stream = try await session.stream("Photos(1)/$value")
            try session.expect(stream.bytes.isEmpty, "no bytes", found: stream.text)
        },
        .change("Set a stream property", section: "OData-Protocol 11.4.8") { session in
            _ = try await session.replace("Categories(2)/Image", png, type: "image/png")
            let stream = try await session.stream("Categories(2)/Image")
            try session.expect(stream.bytes == png, "the bytes that were sent", found: stream.text)
            try await session.expect("Categories(2)?$select=Name", .line("Name='Condiments'"))
        },
        .change("Delete a stream property", section: "OData-Protocol 11.4.8.2") { session in
            _ = try await session.change("Categories(1)/Image", .deleteStream)
            let bytes = try await session.bytesOrNothing("Categories(1)/Image")
            try session.expect(bytes.isEmpty, "no stream", found: "\(bytes.count) bytes")
            try await session.expect("Categories(1)/Name", .line("'Beverages'"))
        },
        .change("Delete a media entity: its stream is deleted too", section: "OData-Protocol 11.4.7.3") { session in
            _ = try await session.change("Photos(1)", .delete)
            try await session.expectError(.notFound) { _ = try await session.stream("Photos(1)/$value") }
            try await session.expect("Products(1)/Photos", .keys("2"))
        },
        .change("A change of a stream is a change of its entity", section: section, needs: [.newETags]) { session in
            let before = try await session.entity("Photos(1)")
            _ = try await session.replace("Photos(1)/$value", png, type: "image/png")
            let after = try await session.entity("Photos(1)")
            try session.expect(
                after.etag != before.etag && after.media?.etag != before.media?.etag, "other ETags",
                found: "\(after.etag ?? "none") and \(after.media?.etag ?? "none")")
        },
    ]
}

extension ConformanceSession {
    fileprivate func createMedia(_ url: String, _ bytes: [UInt8], type: String) async throws -> String {
        let content = MediaContent(ByteContent(bytes), contentType: type)
        return try self.url(of: await change(url, .createMedia(content, slug: nil)))
    }

    fileprivate func replace(
        _ url: String, _ bytes: [UInt8], type: String, ifMatch: String? = nil
    ) async throws -> ChangeResult {
        let content = MediaContent(ByteContent(bytes), contentType: type)
        return try await change(url, .replaceStream(content), ifMatch: ifMatch)
    }

    /// The bytes of a stream; none where there is no stream.
    fileprivate func bytesOrNothing(_ url: String) async throws -> [UInt8] {
        do {
            return try await stream(url).bytes
        } catch let error as ODataError where error.code == .notFound {
            return []
        }
    }
}
