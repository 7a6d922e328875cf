import Foundation
import OData
import PhotoFiles

extension FieldWork {
    /// Notes what an inspection has shown. It is on the device when this returns, and its request waits.
    ///
    /// - Parameter remarks: Nil leaves them as they are.
    @discardableResult
    public func note(_ result: String, remarks: String? = nil, of inspection: Inspections) async throws -> Inspections {
        var inspection = inspection
        inspection.result = result
        if let remarks { inspection.remarks = remarks }
        return try await field.inspections.update(inspection)
    }

    /// Adds a photo to an inspection. Its content is copied into the store: the file may go when this returns.
    ///
    /// The service gets a POST of the content and a PATCH of the properties.
    ///
    /// - Returns: The id of the photo, which stays the same when the service has given it another key.
    public func add(_ photo: PhotoFile, caption: String, to inspection: Inspections) async throws -> String {
        let photos = try field.inspections.children(of: inspection, \.photos)
        let now = EdmDateTimeOffset(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
        let made = try await photos.create(
            Photos(caption: caption, takenAt: now), stream: photo.content(), slug: photo.name)
        return made.entityID ?? photos.url
    }

    /// A small image of a photo, at most so many pixels wide and high, as the bytes of a file.
    ///
    /// - Throws: `ODataError` `mediaNotInStore` where the photo is not on the device and the service cannot be reached.
    public func thumbnail(of photo: Photos, fitting pixels: Int) async throws -> [UInt8] {
        let image = try await store.thumbnail(of: store.path(photo.entityID ?? ""), fitting: pixels)
        return try await image.content.collect(upTo: 10_000_000)
    }
}
