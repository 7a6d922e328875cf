import ByteStreams
import ODataConformance
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores

/// The sample made again on a device, as an app does it, for a service that has next to nothing of it.
///
/// Only the photos are at the service, without their properties and contents, since their keys are the service's to
/// give.
struct LocalSample {
    private static let sets = [
        "Categories", "Suppliers", "Products", "Customers", "Employees", "Territories", "EmployeeTerritories", "Orders",
        "Order_Details", "Settings", "Numbers", "Instants", "Texts",
    ]
    private static let image = "Image"

    private let parser: QueryParser
    /// By set, as they are in the sample.
    private var entities: [String: [EdmEntity]] = [:]
    /// By URL.
    private var contents: [String: (bytes: [UInt8], type: String?)] = [:]

    /// Reads all of `sample`.
    init(of sample: any ODataStore) async throws {
        parser = QueryParser(model: try await sample.model())
        for set in Self.sets + [ConformanceSample.mediaSet] {
            entities[set] = try await sample.entities(parser.query(set))
        }
        for photo in entities[ConformanceSample.mediaSet] ?? [] {
            try await keep(photo.id ?? "", in: sample)
        }
        try await keep("Categories(1)/\(Self.image)", in: sample)
    }

    private mutating func keep(_ url: String, in sample: any ODataStore) async throws {
        let stream = try await sample.readStream(StreamRequest(parser.path(url)))
        contents[url] = (try await stream.content.collect(upTo: 1 << 20), stream.contentType)
    }

    /// Takes all that the device is to make out of `service`.
    func empty(_ service: any ODataStore) async throws {
        for photo in entities[ConformanceSample.mediaSet] ?? [] {
            let path = try parser.path(photo.id ?? "")
            let nothing = EntityPayload(["ProductID": .null, "Caption": .null])
            _ = try await service.change(ChangeRequest(path, .update(nothing)))
            try await replace(photo.id ?? "", ([0], nil), in: service)
        }
        for set in Self.sets.reversed() {
            for entity in (entities[set] ?? []).reversed() {
                _ = try await service.change(ChangeRequest(parser.path(entity.id ?? ""), .delete))
            }
        }
    }

    /// Makes everything in `store`.
    func make(in store: OfflineStore) async throws {
        for set in Self.sets {
            let path = try parser.path(set)
            for entity in entities[set] ?? [] {
                _ = try await store.change(ChangeRequest(path, .create(EntityPayload(Self.given(entity)))))
            }
        }
        for photo in entities[ConformanceSample.mediaSet] ?? [] {
            var properties = Self.given(photo)
            properties["PhotoID"] = nil
            _ = try await store.change(
                ChangeRequest(parser.path(photo.id ?? ""), .update(EntityPayload(properties))))
        }
        for (url, content) in contents.sorted(by: { $0.key < $1.key }) { try await replace(url, content, in: store) }
    }

    private static func given(_ entity: EdmEntity) -> EdmComplexValue {
        EdmComplexValue(entity.properties.members.filter { !$0.value.isNull })
    }

    private func replace(
        _ url: String, _ content: (bytes: [UInt8], type: String?), in store: any ODataStore
    ) async throws {
        let content = MediaContent(
            ByteContent(content.bytes), contentType: content.type ?? "application/octet-stream")
        _ = try await store.change(ChangeRequest(parser.path(url), .replaceStream(content)))
    }
}
