// The program of the tutorial in Sources/OData/OData.docc/GettingStarted.md, which a test runs.

// snippet: the program
import AsyncHTTPTransport
import Foundation
import OData

let arguments = Array(CommandLine.arguments.dropFirst())
let root = ProcessInfo.processInfo.environment["FIELD_SERVICE"] ?? "http://127.0.0.1:8080/"

do {
    let service = try OnlineStore(serviceRoot: root, transport: AsyncHTTPTransport())
    let store = try OfflineStore(folder: "field-store", remote: service)
    try await store.open()
    switch arguments.first {
    case "download": try await download(store)
    case "list": try await list(store)
    case "done": for order in arguments.dropFirst() { try await finish(order, in: store) }
    case "photo": for file in arguments.dropFirst(2) { try await add(file, to: arguments[1], in: store) }
    case "upload": try await upload(store)
    default: print("Field download | list | done <work order> | photo <inspection> <file> | upload")
    }
    try store.close()
} catch {
    print(error)
    exit(1)
}
// end

// snippet: download
func download(_ store: OfflineStore) async throws {
    if try await store.queries.isEmpty {
        try store.addQuery(DefiningQuery(name: "orders", query: "WorkOrders"))
        try store.addQuery(DefiningQuery(name: "inspections", query: "Inspections"))
        try store.addQuery(DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true))
    }
    let report = try await store.download()
    print(report.summary)
}
// end

// snippet: list
func list(_ store: OfflineStore) async throws {
    let options = "$filter=State ne 'done' and Inspections/any()&$orderby=Priority,WorkOrderID&$top=3"
    let query = try await store.query("WorkOrders?\(options)&$expand=Inspections($expand=Photos)")
    for order in try await store.entities(query) {
        print(order.id ?? "", order["State"]?.lexical ?? "", order["Title"]?.lexical ?? "")
        guard case .many(let inspections, _)? = order.expanded["Inspections"] else { continue }
        for inspection in inspections {
            guard case .many(let photos, _)? = inspection.expanded["Photos"] else { continue }
            let captions = photos.compactMap { $0["Caption"]?.lexical }
            print("   ", inspection.id ?? "", captions.joined(separator: ", "))
        }
    }
}
// end

// snippet: done
func finish(_ order: String, in store: OfflineStore) async throws {
    let change = EntityPayload(["State": .string("done")])
    _ = try await store.change(ChangeRequest(store.path(order), .update(change)))
    print("\(try await store.queueEntries().count) changes wait")
}
// end

// snippet: photo
func add(_ file: String, to inspection: String, in store: OfflineStore) async throws {
    let picture = MediaContent(ByteContent(try FileSource(path: file)), contentType: "image/png")
    let photo = try await store.createMedia(
        picture, in: store.path("\(inspection)/Photos"), properties: EntityPayload(["Caption": .string("Valve")]))
    print(photo.entity?.id ?? "", "is in the store")
}
// end

// snippet: upload
func upload(_ store: OfflineStore) async throws {
    let report = try await store.upload()
    print("\(report.succeeded.count) changes sent, \(report.failed.count) refused")
    for error in report.failed { print(error.method, error.url, error.message) }
}
// end
