import AsyncHTTPTransport
import ByteStreams
import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import Testing
import ToolSupport

/// A service of V2 that is not ours, over HTTP.
@Suite(
    "pyslet serves, we read and change", .enabled(if: PythonPeer.isWanted, Comment(rawValue: PythonPeer.absence)))
struct PysletTests {
    struct Peer {
        let store: OnlineStore
        let parser: QueryParser

        func entities(_ url: String) async throws -> [EdmEntity] { try await store.entities(try parser.query(url)) }

        func read(_ url: String) async throws -> ReadResult.Body {
            try await store.read(ReadRequest(try parser.query(url))).body
        }

        func change(
            _ path: String, _ operation: ChangeRequest.Operation, ifMatch: String? = nil
        ) async throws -> ChangeResult {
            var request = ChangeRequest(try parser.path(path), operation)
            request.ifMatch = ifMatch
            return try await store.change(request)
        }

        func bytes(_ request: StreamRequest) async throws -> [UInt8] {
            try await store.readStream(request).content.collect(upTo: 1 << 20)
        }
    }

    static let formats: [OnlineStore.LegacyOptions.Format] = [.atom, .json]

    private func peer(
        _ format: OnlineStore.LegacyOptions.Format, _ body: (Peer) async throws -> Void
    ) async throws {
        let transport = AsyncHTTPTransport()
        do {
            let peer = try #require(PythonPeer.pyslet, Comment(rawValue: PythonPeer.absence))
            try await peer.serving { root in
                var configuration = OnlineStore.Configuration()
                configuration.legacy.format = format
                let store = try OnlineStore(serviceRoot: root, transport: transport, configuration: configuration)
                try await body(Peer(store: store, parser: QueryParser(model: try await store.model())))
            }
        } catch {
            try await transport.shutdown()
            throw error
        }
        try await transport.shutdown()
    }

    @Test("All pages are read, with values of every type", arguments: formats)
    func pages(format: OnlineStore.LegacyOptions.Format) async throws {
        try await peer(format) { peer in
            let products = try await peer.entities("Products?$orderby=ID")
            #expect(products.map { $0["ID"] } == (1...250).map { .integer($0) })
            let first = try #require(products.first)
            let price = try #require(EdmDecimal("1.50"))
            let released = try #require(EdmDateTimeOffset("2012-05-29T09:13:28Z"))
            #expect(
                first.properties == [
                    "ID": .integer(1), "Name": .string("Product 1 <&>"), "Price": .decimal(price),
                    "Stock": .integer(9_007_199_254_740_994), "Weight": .double(0.25), "Discontinued": .boolean(false),
                    "Released": .dateTimeOffset(released), "Code": .null, "Version": .integer(1),
                ])
            #expect(first.id?.hasSuffix("/Products(1)") == true)
            #expect(try await peer.entities("Categories").count == 3)
        }
    }

    @Test("Filters, orders, expansions and counts are asked for in V2's words", arguments: formats)
    func queries(format: OnlineStore.LegacyOptions.Format) async throws {
        try await peer(format) { peer in
            let some = try await peer.entities(
                "Products?$filter=contains(Name,'Product 1') and Price gt 100 and ID mod 2 eq 0"
                    + "&$orderby=Price desc&$top=3")
            #expect(some.map { $0["ID"] } == [.integer(198), .integer(196), .integer(194)])
            let selected = try await peer.entities("Products?$select=ID,Name&$top=1")
            #expect(selected.first?.properties.names == ["ID", "Name"])
            let dated = try await peer.entities("Products?$filter=Released lt 2012-05-29T09:13:29Z&$top=2")
            #expect(dated.count == 2)
            let expanded = try await peer.entities("Products?$expand=Category&$orderby=ID&$top=5")
            var names: [EdmValue] = []
            for entity in expanded {
                if case .one(let category?)? = entity.expanded["Category"] {
                    names.append(category["Name"] ?? .null)
                } else {
                    names.append(.null)
                }
            }
            let wanted = ["O'Neil's", "Größe", "Tea & Coffee", "O'Neil's"].map { EdmValue.string($0) } + [.null]
            #expect(names == wanted)
            guard case .count(250) = try await peer.read("Products/$count") else {
                Issue.record("There are 250 products.")
                return
            }
            guard case .entities(let reader) = try await peer.read("Products?$count=true&$top=1") else { return }
            #expect(try await reader.next()?.count == 250)
            let related = try await peer.entities("Categories('Tea%20%26%20Coffee')/Products?$orderby=ID&$top=2")
            #expect(related.map { $0["ID"] } == [.integer(3), .integer(6)])
            let error = await #expect(throws: ODataError.self) { try await peer.read("Products?$search=tea") }
            #expect(error?.code == .notImplemented)
        }
    }

    @Test("Values, links and errors are read", arguments: formats)
    func values(format: OnlineStore.LegacyOptions.Format) async throws {
        try await peer(format) { peer in
            guard case .value(let price, _) = try await peer.read("Products(2)/Price") else { return }
            #expect(price == .decimal(try #require(EdmDecimal("2.50"))))
            guard case .value(let raw, _) = try await peer.read("Products(2)/Released/$value") else { return }
            #expect(raw == .dateTimeOffset(try #require(EdmDateTimeOffset("2012-05-29T09:13:28Z"))))
            guard case .entities(let links) = try await peer.read("Products(1)/Category/$ref") else { return }
            let block = try #require(try await links.next())
            #expect(block.rows.map { block.text($0.id)?.contains("/Categories(") } == [true])
            let error = await #expect(throws: ODataError.self) { try await peer.read("Products(999)") }
            #expect(error?.code == .notFound)
            #expect(error?.service?.message.contains("Products(999)") == true)
        }
    }

    /// That ETags hold changes off cannot be tried here: pyslet takes no notice of `If-Match`.
    @Test("Entities are made, updated and deleted", arguments: formats)
    func changes(format: OnlineStore.LegacyOptions.Format) async throws {
        try await peer(format) { peer in
            let payload = EntityPayload(
                [
                    "ID": .integer(1000), "Name": .string("Tè <1>"), "Discontinued": .boolean(false),
                    "Version": .integer(1), "Price": .decimal(try #require(EdmDecimal("9.99"))),
                    "Released": .dateTimeOffset(try #require(EdmDateTimeOffset("2020-01-02T03:04:05Z"))),
                ],
                bindings: [
                    .init(
                        navigation: "Category",
                        references: [.path(try peer.parser.path("Categories('Tea%20%26%20Coffee')"))])
                ])
            let created = try await peer.change("Products", .create(payload))
            #expect(created.path == (try peer.parser.path("Products(1000)")))
            #expect(created.entity?["Name"] == .string("Tè <1>"))
            let category = try await peer.entities("Products(1000)/Category")
            #expect(category.map { $0["Name"] } == [.string("Tea & Coffee")])
            let path = try peer.parser.query("Products(1000)")
            let etag = try #require(try await peer.store.read(ReadRequest(path)).etag)
            var update: EdmComplexValue = ["Price": .null, "Stock": .integer(5)]
            // In JSON pyslet takes what is not given for null.
            for member in payload.properties.members where format == .json && update[member.name] == nil {
                update[member.name] = member.value
            }
            let change = ChangeRequest.Operation.update(EntityPayload(update))
            _ = try await peer.change("Products(1000)", change, ifMatch: etag)
            let updated = try #require(try await peer.entities("Products(1000)").first)
            #expect(updated["Price"] == .null)
            #expect(updated["Stock"] == .integer(5))
            #expect(updated["Name"] == .string("Tè <1>"))
            _ = try await peer.change("Products(1000)/Name", .setValue(.string("Renamed")), ifMatch: etag)
            let renamed = try #require(try await peer.entities("Products(1000)").first)
            #expect(renamed["Name"] == .string("Renamed"))
            _ = try await peer.change("Products(1000)", .delete, ifMatch: etag)
            let gone = await #expect(throws: ODataError.self) { try await peer.read("Products(1000)") }
            #expect(gone?.code == .notFound)
        }
    }

    @Test("Links are set and taken away", arguments: formats)
    func links(format: OnlineStore.LegacyOptions.Format) async throws {
        try await peer(format) { peer in
            let tea = EntityReference.path(try peer.parser.path("Categories('Tea%20%26%20Coffee')"))
            _ = try await peer.change("Products(5)/Category/$ref", .addReference(tea))
            #expect(try await peer.entities("Products(5)/Category").map { $0["Name"] } == [.string("Tea & Coffee")])
            _ = try await peer.change("Products(5)/Category/$ref", .removeReference(nil))
            #expect(
                try await peer.entities("Products(5)?$expand=Category").map { $0.expanded["Category"] } == [.one(nil)])
        }
    }

    @Test("Media are created and replaced", arguments: formats)
    func media(format: OnlineStore.LegacyOptions.Format) async throws {
        try await peer(format) { peer in
            let picture = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let content = MediaContent(ByteContent(picture), contentType: "image/png")
            let created = try await peer.change("Photos", .createMedia(content, slug: "first"))
            let path = try #require(created.path)
            #expect(path == (try peer.parser.path("Photos('first')")))
            var photo = try #require(try await peer.entities("Photos").first)
            #expect(photo.media?.contentType == "image/png")
            #expect(photo["Title"] == .string("first"))
            #expect(try await peer.bytes(StreamRequest(path)) == picture)
            var request = ChangeRequest(
                path, .replaceStream(MediaContent(ByteContent(Array("text".utf8)), contentType: "text/plain")))
            request.editLink = photo.media?.editLink
            _ = try await peer.store.change(request)
            photo = try #require(try await peer.entities("Photos").first)
            #expect(photo.media?.contentType == "text/plain")
            var stream = StreamRequest(path)
            stream.readLink = photo.media?.readLink
            #expect(try await peer.bytes(stream) == Array("text".utf8))
            _ = try await peer.change(
                "Photos('first')", .update(EntityPayload(["ID": .string("first"), "Title": .string("New")])))
            #expect(try await peer.entities("Photos").first?["Title"] == .string("New"))
            _ = try await peer.change("Photos('first')", .delete)
            #expect(try await peer.entities("Photos").isEmpty)
        }
    }

    /// pyslet takes a slug for the key as it comes, without decoding it, and does not find keys with percent signs.
    @Test("A slug with signs that no header may have comes encoded", arguments: formats)
    func slug(format: OnlineStore.LegacyOptions.Format) async throws {
        try await peer(format) { peer in
            let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
            let created = try await peer.change("Photos", .createMedia(content, slug: "ü 50%.png"))
            #expect(created.path == (try peer.parser.path("Photos('%25C3%25BC%2050%2525.png')")))
            let photos = try await peer.entities("Photos")
            #expect(photos.map { $0["ID"] } == [.string("%C3%BC 50%25.png")])
        }
    }
}
