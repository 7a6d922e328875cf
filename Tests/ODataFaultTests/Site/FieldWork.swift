import Foundation
import OData

/// Changes on the device, each recognisable at the service.
struct FieldWork {
    let file: SiteFile

    /// An order with two items as JSON.
    static func order(_ marker: String) -> String {
        let items = [10, 20].map { #"{"Position":\#($0),"ProductID":"P-0001","Quantity":1,"Price":1.5}"# }
        return #"{"Note":"\#(marker)","BusinessPartnerID":100,"OrderDate":"2026-01-02","Status":"new","#
            + #""SalesOrderItems":[\#(items.joined(separator: ","))]}"#
    }

    static let picture = SiteFile.picture(seed: 500, length: 150_000)
    static let replacement = SiteFile.picture(seed: 501, length: 120_000)
    static let markers = ["work-1", "work-2"]

    /// Creates, updates, deletes and streams: about a dozen requests.
    func make(in store: OfflineStore) async throws {
        try await create(Self.markers[0], in: store)
        try await update("Products('P-0002')", #"{"Price":77.5}"#, in: store)
        let photos = try store.path("Photos")
        let caption = try await store.payload(#"{"Caption":"work-photo","InspectionID":7000}"#, for: photos)
        let content = MediaContent(ByteContent(Self.picture), contentType: "image/png")
        _ = try await store.createMedia(content, in: photos, slug: nil, properties: caption)
        try await create(Self.markers[1], in: store)
        let replaced = MediaContent(ByteContent(Self.replacement), contentType: "image/png")
        _ = try await store.change(ChangeRequest(try store.path("Photos(9001)"), .replaceStream(replaced)))
        _ = try await store.change(ChangeRequest(try store.path("Photos(9002)"), .delete))
        try await update("Products('P-0002')", #"{"Name":"work-name"}"#, in: store)
        try await update("BusinessPartners(101)", #"{"City":"work-city"}"#, in: store)
    }

    private func create(_ marker: String, in store: OfflineStore) async throws {
        let orders = try store.path("SalesOrders")
        let payload = try await store.payload(Self.order(marker), for: orders)
        _ = try await store.change(ChangeRequest(orders, .create(payload)))
    }

    private func update(_ entity: String, _ json: String, in store: OfflineStore) async throws {
        let path = try store.path(entity)
        _ = try await store.change(ChangeRequest(path, .update(try await store.payload(json, for: path))))
    }

    /// What the service does not have exactly as it was made, by a look at its file.
    func missing() throws -> [String] {
        let checks: [(String, Int, Int)] = [
            ("orders", try file.count("SELECT count(*) FROM SalesOrders"), SiteFile.orders + Self.markers.count),
            ("photos", try file.count("SELECT count(*) FROM Photos"), SiteFile.photos),
            ("price", try file.count("SELECT count(*) FROM Products WHERE Price = 77.5 AND Name = 'work-name'"), 1),
            ("city", try file.count("SELECT count(*) FROM BusinessPartners WHERE City = 'work-city'"), 1),
            ("deleted photo", try file.count("SELECT count(*) FROM Photos WHERE PhotoID = 9002"), 0),
            (
                "new photo",
                try file.count(
                    "SELECT count(*) FROM Photos WHERE Caption = 'work-photo' AND InspectionID = 7000 AND Content = ?",
                    [Data(Self.picture)]), 1
            ),
            (
                "replaced photo",
                try file.count(
                    "SELECT count(*) FROM Photos WHERE PhotoID = 9001 AND Content = ?", [Data(Self.replacement)]), 1
            ),
        ]
        return try checks.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1) instead of \($0.2)" }
            + Self.markers.compactMap { try orderFault($0) }
    }

    /// Nil if the order is at the service once, with its two items.
    func orderFault(_ marker: String) throws -> String? {
        let (orders, items) = try orderCount(marker)
        return orders == 1 && items == 2 ? nil : "\(marker): \(orders) orders, \(items) items"
    }

    func orderCount(_ marker: String) throws -> (orders: Int, items: Int) {
        let items = "SELECT count(*) FROM SalesOrderItems JOIN SalesOrders USING (SalesOrderID) WHERE Note = ?"
        return (
            try file.count("SELECT count(*) FROM SalesOrders WHERE Note = ?", [marker]),
            try file.count(items, [marker])
        )
    }
}
