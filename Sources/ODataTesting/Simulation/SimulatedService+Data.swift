import ODataModel
import ODataQuery
import ODataStores

extension SimulatedService {
    /// A few entities of each set, created at the service.
    ///
    /// - Parameter place: When the singleton is made: markers decide what becomes of conflicts. Nil for none.
    func fill(_ journal: Journal, singletonAt place: Int?) async throws {
        var sets = Self.sets.flatMap { Array(repeating: $0, count: 4) }
        if let place { sets.insert(Self.singleton, at: place) }
        for set in sets {
            let marker = journal.newToken("m")
            let kinds: [Journal.Kind] = set == "Pictures" ? [.creation, .stream] : [.creation]
            journal.add(
                kinds.map { kind in
                    .init(
                        device: 0, kind: kind, marker: marker, token: marker, value: kind == .stream ? marker : "",
                        fate: .accepted)
                })
            try await create(marker, in: set)
        }
    }

    private func create(_ marker: String, in set: String) async throws {
        guard let entitySet = try await tables.model().entitySet(named: set) else { return }
        let path = ResourcePath(entitySet)
        let payload = EntityPayload(["Marker": .string(marker)])
        var request = ChangeRequest(path, .create(payload))
        switch set {
        case "Pictures":
            let content = MediaContent(SimulatedPicture.content(marker), contentType: "application/octet-stream")
            request.operation = .createMedia(content, slug: marker)
        case Self.singleton:
            request.operation = .update(payload)
            request.allowsCreate = true
        default: break
        }
        _ = try await moods.change(request)
    }
}
