import AsyncHTTPTransport
import OData

/// The code at the top of the README; a test of the tool runs it.
func readme() async throws {
    // snippet: the README
    let service = try OnlineStore(serviceRoot: "https://example.org/field/", transport: AsyncHTTPTransport())
    let store = try OfflineStore(folder: "field-store", remote: service)
    try await store.open()
    try store.addQuery(DefiningQuery(name: "photos", query: "Photos?$filter=PhotoID lt 9003", retrievesStreams: true))
    _ = try await store.download()  // from here on no network is needed
    let photos = try await store.entities(store.query("Photos?$orderby=TakenAt desc&$expand=Inspection"))
    let caption = EntityPayload(["Caption": .string("Valve")])
    _ = try await store.change(ChangeRequest(store.path("Photos(9000)"), .update(caption)))
    _ = try await store.upload()  // sends what waits, once
    // end
    show(photos)
}
