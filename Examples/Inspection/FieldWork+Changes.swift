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

    /// Gives a work order another state: `open`, `started` or `done`.
    @discardableResult
    public func set(_ state: String, of order: WorkOrders) async throws -> WorkOrders {
        var order = order
        order.state = state
        return try await field.workOrders.update(order)
    }

    /// Adds a photo to an inspection. Its content is copied into the store: the file may be removed when this returns.
    ///
    /// The service gets a POST of the content and a PATCH of the properties.
    ///
    /// - Returns: The id of the photo, which stays the same when the service has given it another key.
    @discardableResult
    public func add(_ photo: PhotoFile, caption: String, to inspection: Inspections) async throws -> String {
        try await add(photo.content(), named: photo.name, caption: caption, to: inspection)
    }

    /// The same for a photo that is not in a file, as that of a camera.
    @discardableResult
    public func add(
        _ content: MediaContent, named name: String, caption: String, to inspection: Inspections
    ) async throws -> String {
        let photos = try field.inspections.children(of: inspection, \.photos)
        let now = EdmDateTimeOffset(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
        let made = try await photos.create(Photos(caption: caption, takenAt: now), stream: content, slug: name)
        return made.entityID ?? photos.url
    }
}
