import ODataModel
import ODataOffline
import ODataQuery
import ODataStores

/// What an app does next.
extension SimulationRun {
    func step() async throws {
        let device = random.element(of: devices)
        switch random.number(below: 100) {
        case ..<6: try await createJob(on: device)
        case ..<9: try await createJobWithParts(on: device)
        case ..<18: try await createPart(on: device)
        case ..<22: try await createLabel(on: device)
        case ..<29: try await createPicture(on: device)
        case ..<46: try await update(on: device)
        case ..<52: try await delete(on: device)
        case ..<57: try await replaceContent(on: device)
        case ..<64: try await changeLabels(on: device)
        case ..<69: try await movePart(on: device)
        case ..<74: try await changeSet(on: device)
        case ..<78: try await undo(on: device)
        case ..<81: try await repairError(on: device)
        case ..<91: try await upload(on: device)
        default: try await download(on: device)
        }
    }

    /// An entity that the device shows; nil if it shows none of the set.
    func anyEntity(_ set: String, on device: SimulatedDevice) async throws -> EdmEntity? {
        let entities = try await device.store.entities(try await device.store.query(set))
        // The properties of a picture may have been undone, and its stream not.
        let sorted = entities.filter { !$0.marker.isEmpty }.sorted { $0.marker < $1.marker }
        return sorted.isEmpty ? nil : random.element(of: sorted)
    }

    private func createJob(on device: SimulatedDevice) async throws {
        let marker = journal.newToken("m")
        var draft = SimulatedChange("creates the job \(marker)")
        draft.requests = [try create(marker, in: "Jobs", on: device, &draft)]
        try await make(draft, on: device)
    }

    /// A deep insert.
    private func createJobWithParts(on device: SimulatedDevice) async throws {
        let marker = journal.newToken("m")
        var draft = SimulatedChange("creates the job \(marker)")
        var request = try create(marker, in: "Jobs", on: device, &draft)
        guard case .create(var payload) = request.operation else { return }
        var parts: [EntityPayload] = []
        for _ in 0...random.number(below: 2) {
            let part = journal.newToken("m")
            draft.text += " with the part \(part)"
            if case .create(let inner) = try create(part, in: "Parts", on: device, &draft).operation {
                parts.append(inner)
            }
            draft.changes.append(.init(device, .parent, part, token: part, value: marker))
        }
        payload.nested = [.init(navigation: "Parts", entities: parts)]
        request.operation = .create(payload)
        draft.requests = [request]
        try await make(draft, on: device)
    }

    private func createLabel(on device: SimulatedDevice) async throws {
        let marker = journal.newToken("m")
        var draft = SimulatedChange("creates the label \(marker)")
        var request = try create(marker, in: "Labels", on: device, &draft)
        if random.number(below: 2) == 0, case .create(var payload) = request.operation {
            payload.properties["ID"] = .guid(.random(using: &random))
            request.operation = .create(payload)
        }
        draft.requests = [request]
        try await make(draft, on: device)
    }

    private func createPart(on device: SimulatedDevice) async throws {
        let marker = journal.newToken("m")
        var draft = SimulatedChange("creates the part \(marker)")
        var request = try create(marker, in: "Parts", on: device, &draft)
        if let job = try await anyEntity("Jobs", on: device), let id = job.id,
            case .create(var payload) = request.operation
        {
            payload.bindings = [.init(navigation: "Job", references: [.path(try device.store.path(id))])]
            request.operation = .create(payload)
            draft.text += " of \(job.marker)"
            draft.changes.append(.init(device, .parent, marker, token: marker, value: job.marker))
        }
        draft.requests = [request]
        try await make(draft, on: device)
    }

    /// A request with a marker and perhaps values, noted in `draft`.
    private func create(
        _ marker: String, in set: String, on device: SimulatedDevice, _ draft: inout SimulatedChange
    ) throws -> ChangeRequest {
        draft.changes.append(.init(device, .creation, marker, token: marker))
        let target = try device.store.path(set)
        var names = random.number(below: 2) == 0 ? ["First"] : []
        if target.entitySet?.type.property(named: "Place") != nil { names += random.element(of: [[]] + Self.places) }
        var properties = values(names, of: marker, on: device, &draft)
        properties["Marker"] = .string(marker)
        return ChangeRequest(target, .create(EntityPayload(properties)))
    }

    /// One member of the complex value, or all of them.
    private static let places: [[String]] = {
        let paths = SimulatedService.placeMembers.map { "Place/\($0)" }
        return paths.map { [$0] } + [paths]
    }()

    /// New values of properties and of members of complex values, noted in `draft`.
    private func values(
        _ names: [String], of marker: String, on device: SimulatedDevice, _ draft: inout SimulatedChange
    ) -> EdmComplexValue {
        names.reduce(into: EdmComplexValue()) { properties, name in
            let value = journal.newToken("v")
            draft.changes.append(.init(device, .value(of: name), marker, token: value, value: value))
            properties = properties.merging(EdmComplexValue(.string(value), at: name))
        }
    }

    private func createPicture(on device: SimulatedDevice) async throws {
        let marker = journal.newToken("m")
        var draft = SimulatedChange("creates the picture \(marker)")
        draft.tag = marker
        draft.changes = [
            .init(device, .creation, marker, token: marker),
            .init(device, .stream, marker, token: marker, value: marker),
        ]
        var properties = values(random.number(below: 2) == 0 ? ["Second"] : [], of: marker, on: device, &draft)
        properties["Marker"] = .string(marker)
        let content = MediaContent(SimulatedPicture.content(marker), contentType: "application/octet-stream")
        draft.requests = [ChangeRequest(try device.store.path("Pictures"), .createMedia(content, slug: marker))]
        draft.properties = EntityPayload(properties)
        try await make(draft, on: device)
    }

    private func update(on device: SimulatedDevice) async throws {
        let set = random.element(of: setup.sets)
        guard let entity = try await anyEntity(set, on: device) else { return }
        var draft = SimulatedChange("updates \(entity.marker)")
        draft.requests = [try update(entity, on: device, &draft)]
        try await make(draft, on: device)
    }

    private func update(
        _ entity: EdmEntity, on device: SimulatedDevice, _ draft: inout SimulatedChange
    ) throws -> ChangeRequest {
        var choices = [["First"], ["Second"], ["First", "Second"]]
        if entity.type.property(named: "Place") != nil {
            choices += Self.places + Self.places.map { ["First"] + $0 }
        }
        let names = random.element(of: choices)
        let properties = values(names, of: entity.marker, on: device, &draft)
        for (name, change) in zip(names, draft.changes.suffix(names.count)) { draft.text += " \(name)=\(change.value)" }
        let url = entity.id ?? ""
        // A member has a path of its own.
        if let name = names.first, names.count == 1, name.contains("/"), random.number(below: 2) == 0,
            let value = draft.changes.last?.value
        {
            return ChangeRequest(try device.store.path("\(url)/\(name)"), .setValue(.string(value)))
        }
        return ChangeRequest(try device.store.path(url), .update(EntityPayload(properties)))
    }

    private func delete(on device: SimulatedDevice) async throws {
        let set = random.element(of: SimulatedService.sets)
        guard let entity = try await anyEntity(set, on: device) else { return }
        var draft = SimulatedChange("deletes \(entity.marker)")
        let token = journal.newToken("t")
        draft.tag = token
        draft.requests = [ChangeRequest(try device.store.path(entity.id ?? ""), .delete)]
        draft.changes = [.init(device, .deletion, entity.marker, token: token)]
        try await make(draft, on: device)
    }

    private func replaceContent(on device: SimulatedDevice) async throws {
        guard let entity = try await anyEntity("Pictures", on: device) else { return }
        let token = journal.newToken("t")
        var draft = SimulatedChange("replaces the content of \(entity.marker) by \(token)")
        draft.tag = token
        let content = MediaContent(SimulatedPicture.content(token), contentType: "application/octet-stream")
        draft.requests = [ChangeRequest(try device.store.path(entity.id ?? ""), .replaceStream(content))]
        draft.changes = [.init(device, .stream, entity.marker, token: token, value: token)]
        try await make(draft, on: device)
    }

    private func changeLabels(on device: SimulatedDevice) async throws {
        let jobs = try await device.store.entities(try await device.store.query("Jobs?$expand=Labels"))
        guard let job = try await anyEntity("Jobs", on: device), let label = try await anyEntity("Labels", on: device)
        else { return }
        let isThere = jobs.first { $0.marker == job.marker }?.labels.contains(label.marker) ?? false
        let token = journal.newToken("t")
        var draft = SimulatedChange(
            "\(isThere ? "takes the label \(label.marker) from" : "gives the label \(label.marker) to") "
                + job.marker)
        draft.tag = token
        let target = try device.store.path("\(job.id ?? "")/Labels")
        let reference = EntityReference.path(try device.store.path(label.id ?? ""))
        draft.requests = [
            ChangeRequest(target, isThere ? .removeReference(reference) : .addReference(reference))
        ]
        draft.changes = [
            .init(
                device, .link(label: label.marker), job.marker, token: token, value: isThere ? "" : label.marker)
        ]
        try await make(draft, on: device)
    }

    private func movePart(on device: SimulatedDevice) async throws {
        guard let part = try await anyEntity("Parts", on: device), let job = try await anyEntity("Jobs", on: device)
        else { return }
        let token = journal.newToken("t")
        let target = random.number(below: 4) == 0 ? nil : job
        var draft = SimulatedChange("moves the part \(part.marker) to \(target?.marker ?? "no job")")
        draft.tag = token
        let references = try target.map { [EntityReference.path(try device.store.path($0.id ?? ""))] } ?? []
        let payload = EntityPayload([:], bindings: [.init(navigation: "Job", references: references)])
        draft.requests = [ChangeRequest(try device.store.path(part.id ?? ""), .update(payload))]
        draft.changes = [.init(device, .parent, part.marker, token: token, value: target?.marker ?? "")]
        try await make(draft, on: device)
    }

    /// A job, a part of it, and an update of something else, all or nothing.
    private func changeSet(on device: SimulatedDevice) async throws {
        let (job, part) = (journal.newToken("m"), journal.newToken("m"))
        var draft = SimulatedChange("makes the change set with the job \(job) and its part \(part)")
        var first = try create(job, in: "Jobs", on: device, &draft)
        first.contentID = "job"
        var second = try create(part, in: "Parts", on: device, &draft)
        if case .create(var payload) = second.operation {
            payload.bindings = [.init(navigation: "Job", references: [.url("$job")])]
            second.operation = .create(payload)
        }
        draft.changes.append(.init(device, .parent, part, token: part, value: job))
        draft.requests = [first, second]
        if let other = try await anyEntity("Labels", on: device) {
            draft.text += ", updating \(other.marker)"
            draft.requests.append(try update(other, on: device, &draft))
        }
        for index in draft.changes.indices { draft.changes[index].changeSet = job }
        try await make(draft, on: device)
    }
}

/// A change that an app is about to make.
struct SimulatedChange: Sendable {
    var text: String
    var requests: [ChangeRequest] = []
    /// Of a picture that is created.
    var properties = EntityPayload()
    var changes: [Journal.Change] = []
    var tag: String?

    init(_ text: String) {
        self.text = text
    }
}

extension Journal.Change {
    fileprivate init(
        _ device: SimulatedDevice, _ kind: Journal.Kind, _ marker: String, token: String, value: String = ""
    ) {
        self.init(device: device.number, kind: kind, marker: marker, token: token, value: value)
    }
}

extension EdmComplexValue {
    /// `{"Place":{"City":"v12"}}` for `Place/City`.
    fileprivate init(_ value: EdmValue, at path: String) {
        let names = path.split(separator: "/").map(String.init)
        let inner = names.dropFirst().reversed().reduce(value) { .complex([$1: $0]) }
        self.init([Member(name: names.first ?? path, value: inner)])
    }
}

extension EdmEntity {
    var marker: String {
        guard case .string(let marker)? = self["Marker"] else { return "" }
        return marker
    }

    var labels: [String] {
        guard case .many(let entities, _)? = expanded["Labels"] else { return [] }
        return entities.map(\.marker)
    }
}
