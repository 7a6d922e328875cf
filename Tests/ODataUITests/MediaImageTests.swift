import OData
import ODataUI
import Testing

@MainActor
@Suite("Images of streams")
struct MediaImageTests {
    @Test("Nothing at first, then the whole, once", arguments: [true, false])
    func whole(isOffline: Bool) async throws {
        let yard = try await Yard()
        let store: any ODataStore = isOffline ? yard.offline : yard.service
        let photos = EntityCollections(store)["Photos"]
        let content = MediaContent(ByteContent([1, 2, 3, 4]), contentType: "image/png")
        let photo = try await photos.create(DynamicEntity(["ID": 1]), stream: content)
        let image = MediaImage(of: photo, in: photos)
        guard case .placeholder = image.state else {
            Issue.record("\(image.state)")
            return
        }
        #expect(image.picture == nil)
        await image.loadFull()
        guard case .full(let picture) = image.state else {
            Issue.record("\(image.state)")
            return
        }
        #expect(picture.bytes == [1, 2, 3, 4] && picture.contentType == "image/png")
        #expect(image.error == nil && image.fraction == nil)
        await image.loadThumbnail()
        #expect(image.picture == picture)
    }

    @Test("Of a store that makes no thumbnails, the whole is read")
    func thumbnail() async throws {
        let yard = try await Yard()
        let photos = EntityCollections(yard.service)["Photos"]
        let content = MediaContent(ByteContent([5, 6]), contentType: "image/jpeg")
        let photo = try await photos.create(DynamicEntity(["ID": 1]), stream: content)
        let image = MediaImage(of: photo, in: photos)
        await image.loadThumbnail()
        #expect(image.picture?.bytes == [5, 6])
    }

    @Test("An error is shown, and another attempt may succeed")
    func failure() async throws {
        let yard = try await Yard()
        let photos = EntityCollections(yard.service)["Photos"]
        let image = MediaImage(try await yard.offline.query("Photos(1)").path, in: yard.service)
        await image.loadFull()
        guard case .failed(let error) = image.state else {
            Issue.record("\(image.state)")
            return
        }
        #expect(error.code == .notFound && image.error?.code == .notFound)
        let content = MediaContent(ByteContent([7]), contentType: "image/jpeg")
        try await photos.create(DynamicEntity(["ID": 1]), stream: content)
        await image.loadFull()
        #expect(image.picture?.bytes == [7] && image.error == nil)
    }

    @Test("What is too long is not read into memory")
    func limit() async throws {
        let yard = try await Yard()
        let photos = EntityCollections(yard.service)["Photos"]
        let content = MediaContent(ByteContent([UInt8](repeating: 1, count: 100)), contentType: "image/jpeg")
        let photo = try await photos.create(DynamicEntity(["ID": 1]), stream: content)
        let image = MediaImage(of: photo, in: photos, limit: 99)
        await image.loadFull()
        #expect(image.error?.code == .tooLarge && image.picture == nil)
    }
}
