import OData

/// The queue of an offline store, as the place where photos wait for the service.
///
/// A photo is in the queue before it leaves the folder, and nothing is sent before all photos of the queue have left it.
/// So one that a killed process has left behind is either not in the queue, and is taken, or it is still there, which its
/// mark reports, and is only moved. The store sends each request once.
struct PhotoQueue {
    let store: OfflineStore
    /// `Photos`, `Inspections(7031)/Photos`
    let target: String
    /// The name of a property.
    let caption: String

    /// Takes the photos of the folder into the store.
    func take(from inbox: PhotoInbox) async throws {
        let waiting = Set(try await store.queueEntries().compactMap(\.tag))
        for arrival in try inbox.arrivals() {
            if !waiting.contains(arrival.mark) {
                guard arrival.isComplete else { continue }
                try await add(arrival)
                report("taken \(arrival.photo.name)")
            }
            try inbox.putAway(arrival.photo)
        }
        inbox.flush()
    }

    private func add(_ arrival: PhotoInbox.Arrival) async throws {
        _ = try await store.createMedia(
            arrival.photo.content(), in: store.path(target), slug: arrival.photo.name,
            properties: EntityPayload([caption: .string(arrival.photo.name)]),
            options: RequestOptions(tag: arrival.mark))
    }

    /// Sends what waits. What the service refuses is tried again with the next photos.
    ///
    /// - Throws: `ODataError` `unreachable` without the service.
    func send() async throws {
        guard try await !store.queueEntries().isEmpty else { return }
        let upload = try await store.upload()
        report("sent \(upload.succeeded.count) requests, \(try await store.queueEntries().count) wait")
        for error in upload.failed { report("refused \(error.tag ?? error.url): \(error.message)") }
    }
}
