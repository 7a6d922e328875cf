import ODataModel
import ODataQuery
import ODataStores

extension SimulatedService {
    /// A few entities of each set, made by nobody's device.
    func fill(_ journal: Journal) async throws {
        for set in Self.sets {
            for _ in 0..<4 {
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
    }

    private func create(_ marker: String, in set: String) async throws {
        guard let entitySet = try await tables.model().entitySet(named: set) else { return }
        let path = ResourcePath(entitySet)
        guard set == "Pictures" else {
            let payload = EntityPayload(["Marker": .string(marker)])
            _ = try await moods.change(ChangeRequest(path, .create(payload)))
            return
        }
        let content = MediaContent(SimulatedPicture.content(marker), contentType: "application/octet-stream")
        _ = try await moods.change(ChangeRequest(path, .createMedia(content, slug: marker)))
    }
}
