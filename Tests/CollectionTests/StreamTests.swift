import ByteStreams
import OData
import Testing

@Suite("Streams of collections, and singletons")
struct StreamTests {
    @Test("a media entity with its stream and its properties", arguments: StoreKind.allCases)
    func media(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let photos = shop.service.photos
        let photo = try await photos.create(
            Photo(caption: "Valve"), stream: MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"))
        #expect(photo.caption == "Valve" && photo.origin?.media?.contentType == "image/png")
        #expect(try await bytes(photos.stream(of: photo)) == [1, 2, 3])
        try await photos.replaceStream(of: photo, with: MediaContent(ByteContent([4]), contentType: "image/png"))
        #expect(try await bytes(photos.stream(of: photo)) == [4])
        if let offline = shop.store as? OfflineStore { #expect(try await offline.upload().isComplete) }
        let sent = try await EntityCollections(shop.file).of(Photo.self, in: "Photos").findAll()
        #expect(sent.map(\.caption) == ["Valve"])
    }

    @Test("a media entity without properties is one request, with them two")
    func requests() async throws {
        let shop = try await Shop(.file)
        _ = try await shop.service.photos.create(
            Photo(), stream: MediaContent(ByteContent([1]), contentType: "image/png"))
        #expect(shop.requests.changes == ["Photos"])
        let photo = try await shop.service.photos.create(
            Photo(caption: "x"), stream: MediaContent(ByteContent([1]), contentType: "image/png"))
        #expect(shop.requests.changes == ["Photos", "Photos(\(photo.id))"])
        let error = await #expect(throws: ODataError.self) {
            try await shop.collections["Photos"].create(
                DynamicEntity(["Nothing": .string("x")]),
                stream: MediaContent(ByteContent([1]), contentType: "image/png"))
        }
        #expect(error?.message.contains("was made with its stream, but without its properties") == true)
    }

    @Test("a stream property", arguments: [StoreKind.file, .online])
    func property(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let chai = try #require(try await shop.products.find(1))
        let manual = MediaContent(ByteContent([7, 8]), contentType: "text/plain")
        try await shop.products.replaceStream(of: chai, \.manual, with: manual)
        #expect(try await bytes(shop.products.stream(of: chai, \.manual)) == [7, 8])
        try await shop.products.deleteStream(of: chai, \.manual)
        let handle = try await shop.products.stream(of: chai, \.manual)
        let error = await #expect(throws: ODataError.self) { try await bytes(handle) }
        #expect(error?.code == .notFound)
    }

    @Test("a stream property by its name", arguments: [StoreKind.file, .online])
    func dynamicProperty(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.collections["Products"]
        let chai = try #require(try await products.find(EntityKey("ID", .integer(1))))
        let manual = MediaContent(ByteContent([7, 8]), contentType: "text/plain")
        try await products.replaceStream(of: chai, "Manual", with: manual)
        #expect(try await bytes(products.stream(of: chai, "Manual")) == [7, 8])
        try await products.deleteStream(of: chai, "Manual")
        let handle = try await products.stream(of: chai, "Manual")
        let error = await #expect(throws: ODataError.self) { try await bytes(handle) }
        #expect(error?.code == .notFound)
    }

    @Test("a singleton is read, changed and related", arguments: StoreKind.allCases)
    func singletons(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let favourite = shop.service.favourite
        #expect(favourite.url == "Favourite")
        var air = try await favourite.one()
        #expect(air.name == "Air")
        air.name = "Fresh air"
        #expect(try await favourite.update(air).name == "Fresh air")
        #expect(try await favourite.one().name == "Fresh air")
        #expect(try favourite.children(of: air, \.items).url == "Favourite/Items")
        var dynamic = try await shop.collections.singleton("Favourite").one()
        dynamic["Name"] = .string("Air")
        #expect(try await shop.collections.singleton("Favourite").update(dynamic)["Name"] == .string("Air"))
    }

    private func bytes(_ handle: StreamHandle) async throws -> [UInt8] {
        try await ByteContent(try handle.chunks(), length: nil).collect(upTo: 100)
    }
}
