import AsyncHTTPTransport
import Foundation
import OData

// Inspections, Photos and FieldService are written by the build plugin, from field-service.edmx beside this file.
guard CommandLine.arguments.count == 3 else {
    show("Usage: LiveList <folder of the store> <URL of the service>")
    exit(2)
}
let service = try OnlineStore(serviceRoot: CommandLine.arguments[2], transport: AsyncHTTPTransport())
let store = try OfflineStore(folder: CommandLine.arguments[1], remote: service)
try await store.open()
let field = FieldService(store)
try await store.setQueries([
    DefiningQuery(name: "inspections", query: field.inspections.orderBy(\.inspectionID).top(20).expand(\.photos).url),
    DefiningQuery(name: "photos", query: field.photos.url, retrievesStreams: true),
])

// A live list: at once, and again after each change on the device and each download.
let list = Task.detached {
    for await result in field.inspections.where({ $0.result != nil }).expand(\.photos).updates {
        for inspection in try result.get().elements {
            show("\(inspection.inspectionID) \(inspection.result ?? "") \(inspection.photos?.count ?? 0) photos")
        }
    }
}

// Synchronization by itself: after changes, after failures, from time to time.
var policy = SyncScheduler.Policy()
(policy.delay, policy.firstRetry, policy.shortestPause) = (.seconds(1), .seconds(1), .seconds(1))
let scheduler = SyncScheduler(store: store, policy: policy)
try await scheduler.start()
let status = Task.detached {
    for await state in store.syncStates {
        show("status \(state.isConnected ? "connected" : "not connected") \(state.queueLength) waiting")
        // Of two results the one of this device counts.
        for conflict in state.requirement == .conflict ? try await store.conflicts() : [] {
            show("conflict \(conflict.path) theirs: \(conflict.theirs?["Result"]?.lexical ?? "")")
            try await store.resolve(conflict, as: .mine)
        }
    }
}

// What the user types: `result 7031 passed`, `photo 7031 seal.png`. The tasks run on other threads meanwhile.
while let words = readLine()?.split(separator: " ").map(String.init) {
    guard words.count == 3, let id = Int64(words[1]), var inspection = try await field.inspections.find(id) else {
        show("? result <inspection> <text> | photo <inspection> <file>")
        continue
    }
    if words[0] == "photo" {
        let picture = MediaContent(ByteContent(try FileSource(path: words[2])), contentType: "image/png")
        try await field.inspections.children(of: inspection, \.photos).create(Photos(caption: "Seal"), stream: picture)
    } else {
        inspection.result = words[2]
        try await field.inspections.update(inspection)
    }
}
await scheduler.stop()
try store.close()

/// Writes a line at once, also while another thread waits for standard input.
func show(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
