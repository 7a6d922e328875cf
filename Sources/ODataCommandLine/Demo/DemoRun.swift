import Foundation
import OData
import ODataTesting

/// The main job once: offline with a part of a service, changes there, back again, and both sides compared.
struct DemoRun {
    let scenario: DemoScenario
    let service: DemoService
    let folder: String
    private let clock = ContinuousClock()

    init(scenario: DemoScenario, database: String, folder: String) {
        self.scenario = scenario
        self.folder = folder
        service = DemoService(path: database, media: scenario.media)
    }

    func run(_ transport: any HTTPTransport) async throws {
        let root = try await service.start()
        Console.write("Service: \(scenario.title) at \(root)")
        let remote = try OnlineStore(serviceRoot: root, transport: transport)
        var configuration = OfflineStore.Configuration()
        configuration.countsEntities = true
        let store = try OfflineStore(folder: folder + "/store", remote: remote, configuration: configuration)
        do {
            try await store.open()
            try await download(store, title: "First download")
            try await service.stop()
            Console.write("\nThe service is stopped. All that follows until the upload happens without network.\n")
            try await read(store)
            try await change(store)
            try await bringBack(store, remote)
            try await compare(store, remote)
            try await service.stop()
            try store.close()
        } catch {
            try? await service.stop()
            try? store.close()
            throw error
        }
    }

    private func download(_ store: OfflineStore, title: String) async throws {
        if try await store.queries.isEmpty {
            for query in scenario.queries {
                try store.addQuery(DefiningQuery(name: query.name, query: query.text, retrievesStreams: query.streams))
            }
        }
        let lines = ProgressLines()
        let time = try await clock.measure {
            let report = try await lines.following(store) { try await store.download { lines.show($0) } }
            Console.write("\(title): \(report.summary)")
            guard let failed = report.failedStreams.first else { return }
            throw Failure("The stream of \(failed.path) failed: \(failed.error.summary)")
        }
        Console.write("    in \(time.formatted())")
    }

    private func read(_ store: OfflineStore) async throws {
        for (title, url) in scenario.reads {
            Console.write("Read, \(title): \(url)")
            let time = try await clock.measure {
                try await ResultPrinter(store: store, format: .json).print(try await store.query(url))
            }
            Console.write("    in \(time.formatted())")
        }
    }

    private func change(_ store: OfflineStore) async throws {
        for (path, json) in scenario.updates {
            let target = try store.path(path)
            _ = try await store.change(ChangeRequest(target, .update(try await store.payload(json, for: target))))
        }
        var created: [EdmEntity?] = []
        for (set, json) in scenario.creates {
            let target = try store.path(set)
            let payload = try await store.payload(json, for: target)
            created.append(try await store.change(ChangeRequest(target, .create(payload))).entity)
            Console.write("Created offline: \(created.last??.id ?? set)")
        }
        for (number, photo) in scenario.photos.enumerated() { try await add(photo, number, created, store) }
        for (number, path) in scenario.replacedStreams.enumerated() {
            let picture = MediaContent(picture(100 + number), contentType: "image/png")
            _ = try await store.change(ChangeRequest(try store.path(path), .replaceStream(picture)))
        }
        for path in scenario.deletes {
            _ = try await store.change(ChangeRequest(try store.path(path), .delete))
        }
        Console.write("Changed offline: \(try await store.queueEntries().count) requests wait to be sent.\n")
    }

    private func add(
        _ photo: DemoScenario.Photo, _ number: Int, _ created: [EdmEntity?], _ store: OfflineStore
    ) async throws {
        let target = try store.path(photo.set)
        var payload = try await store.payload(photo.properties, for: target)
        if let owner = photo.owner, let id = created[owner.create]?.id {
            payload.bindings.append(.init(navigation: owner.navigation, references: [.url(id)]))
        }
        let result = try await store.createMedia(
            MediaContent(picture(number), contentType: "image/png"), in: target, slug: "photo-\(number).png",
            properties: payload)
        Console.write("Created offline: \(result.entity?.id ?? photo.set), a picture")
    }

    private func picture(_ number: Int) -> ByteContent {
        ByteContent(SamplePicture(seed: UInt64(1000 + number)).png)
    }

    private func bringBack(_ store: OfflineStore, _ remote: OnlineStore) async throws {
        _ = try await service.start()
        try await changeElsewhere(remote)
        let time = try await clock.measure {
            let report = try await store.upload()
            Console.write(
                "Upload: \(report.succeeded.count) requests sent, \(try await store.queueEntries().count) remain")
        }
        Console.write("    in \(time.formatted())")
        for entry in try await store.errorEntries() {
            throw Failure("\(entry.method) \(entry.url) failed: \(entry.message)")
        }
        try await download(store, title: "Refresh")
    }

    private func changeElsewhere(_ remote: OnlineStore) async throws {
        let model = try await remote.model()
        let parser = QueryParser(model: model)
        if let (path, json) = scenario.otherUpdate {
            let target = try parser.path(path)
            guard let type = target.entityType(in: model) else { throw Failure("\(path) leads to no entity.") }
            let payload = try JSONPayload.entity(
                Array(json.utf8), type: type, model: model, parser: parser, serviceRoot: nil)
            _ = try await remote.change(ChangeRequest(target, .update(payload)))
            Console.write("The service is back. Meanwhile another client changed \(path)")
        }
        if let path = scenario.otherDelete {
            _ = try await remote.change(ChangeRequest(try parser.path(path), .delete))
            Console.write("    and deleted \(path)")
        }
    }

    private func compare(_ store: OfflineStore, _ remote: OnlineStore) async throws {
        var comparison = DemoComparison()
        let time = try await clock.measure {
            for query in scenario.queries { try await comparison.compare(query, store, remote) }
        }
        Console.write(
            "\nCompared: \(comparison.entities) entities, \(comparison.streams) streams of \(comparison.bytes) bytes"
                + " in \(time.formatted())")
        guard comparison.differences.isEmpty else {
            throw Failure(
                "The two sides differ:\n" + comparison.differences.prefix(20).joined(separator: "\n"))
        }
        Console.write("Both sides are the same.")
    }
}

extension Duration {
    /// `12.3 ms`, `1.23 s`
    func formatted() -> String {
        let milliseconds = Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
        return milliseconds < 1000
            ? String(format: "%.1f ms", milliseconds) : String(format: "%.2f s", milliseconds / 1000)
    }
}
