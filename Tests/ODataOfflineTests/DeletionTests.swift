import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("Deletions are not taken for done, and take nothing away from what waits")
struct DeletionTests {
    /// The response of the service in the place of acting.
    private final class Mood: Sendable {
        private let state = Mutex<(change: ODataError?, read: ODataError?)>((nil, nil))

        func set(change: ODataError? = nil, read: ODataError? = nil) { state.withLock { $0 = (change, read) } }

        /// To deletions of entities and to reads of one.
        func over(_ base: any ODataStore) -> TappedStore {
            var tapped = TappedStore(base: base)
            tapped.changing = { request in
                if case .delete = request.operation, let error = self.state.withLock({ $0.change }) { throw error }
                return request
            }
            tapped.reading = { request in
                guard case .key? = request.query.path.segments.last else { return }
                if let error = self.state.withLock({ $0.read }) { throw error }
            }
            return tapped
        }
    }

    private static let entity = "Items(OrderID=9,LineNo=2)"

    private func device(_ mood: Mood) async throws -> Device {
        let device = try await Device([.init(name: "items", query: "Items")]) { mood.over($0) }
        try await device.store.download()
        try await device.delete(Self.entity)
        return device
    }

    private func isServed(_ device: Device) throws -> Bool {
        try device.service.fetch("SELECT count(*) FROM Items WHERE OrderID = 9 AND LineNo = 2") == ["1"]
    }

    /// The deletion is done once the service is well again.
    private func checkRecovery(_ device: Device, _ mood: Mood) async throws {
        mood.set()
        #expect(try await device.store.upload().isComplete)
        #expect(try !isServed(device))
    }

    @Test("One that finds nothing is refused where the entity is there, and can be tried again", arguments: [404, 410])
    func there(status: Int) async throws {
        let mood = Mood()
        let device = try await device(mood)
        mood.set(change: ODataError(status == 404 ? .notFound : .gone, "Not found on purpose."))
        let report = try await device.store.upload()
        #expect(report.failed.map(\.url) == [Self.entity] && report.succeeded.isEmpty)
        #expect(try await device.store.errorEntries().map(\.status) == [status])
        mood.set()
        try await device.store.download()
        #expect(try await device.count("Items") == 49)
        #expect(try await device.store.upload().isComplete)
        #expect(try !isServed(device))
        #expect(try await device.store.errorEntries().isEmpty)
    }

    @Test("One that finds nothing waits while the service cannot be asked for the entity")
    func unreachable() async throws {
        let mood = Mood()
        let device = try await device(mood)
        mood.set(change: ODataError(.gone, "Gone on purpose."), read: ODataError(.unreachable, "Cut on purpose."))
        await #expect { try await device.store.upload() } throws: { ($0 as? ODataError)?.code == .unreachable }
        #expect(try await device.store.queueEntries().map(\.state) == [.waiting])
        try await checkRecovery(device, mood)
    }

    @Test("One that finds nothing is done where the entity cannot be read by anybody", arguments: [403, 405, 501])
    func unreadable(status: Int) async throws {
        let mood = Mood()
        let device = try await device(mood)
        let code: ODataError.Code = [403: .forbidden, 405: .methodNotAllowed][status] ?? .notImplemented
        mood.set(change: ODataError(.notFound, "Not found."), read: ODataError(code, "Not to be read."))
        #expect(try await device.store.upload().succeeded.map(\.url) == [Self.entity])
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("One that finds nothing is refused where the service has a fault when it is asked for the entity")
    func faulty() async throws {
        let mood = Mood()
        let device = try await device(mood)
        mood.set(change: ODataError(.notFound, "Not found."), read: ODataError(.internalError, "Out of order."))
        #expect(try await device.store.upload().failed.first?.message.contains("Out of order.") == true)
        try await checkRecovery(device, mood)
    }

    /// A device whose service refuses all changes but deletions while it is strict.
    private final class Family: Sendable {
        let service: KeyService
        let store: OfflineStore
        private let folder: TemporaryFolder
        private let strictness: Strictness

        private final class Strictness: Sendable {
            let isOn = Mutex(false)
        }

        init() async throws {
            service = try await KeyService(.int32)
            folder = try TemporaryFolder()
            let strictness = Strictness()
            self.strictness = strictness
            var tapped = TappedStore(base: service)
            tapped.changing = { request in
                if case .delete = request.operation { return request }
                guard !strictness.isOn.withLock({ $0 }) else { throw ODataError(.badRequest, "Refused on purpose.") }
                return request
            }
            store = try OfflineStore(
                folder: folder.path + "/store", remote: tapped, configuration: Device.configuration(combines: false))
            try await store.open()
            for set in ["Parents?$expand=Tags", "Children", "Tags"] {
                try store.addQuery(.init(name: set, query: set))
            }
            try await store.download()
        }

        func turn(strict: Bool) { strictness.isOn.withLock { $0 = strict } }

        func change(_ path: String, _ operation: ChangeRequest.Operation) async throws -> String {
            try await store.change(ChangeRequest(try store.path(path), operation)).path?.url ?? ""
        }

        func reference(_ path: String) throws -> EntityReference { .path(try store.path(path)) }

        func served(_ url: String) async throws -> Int {
            try await service.entities(try await store.query(url)).count
        }
    }

    private static let namings = ["reference", "update", "value", "creation"]

    /// - Returns: What is deleted behind the request that names it.
    private func nameAndDelete(_ naming: String, _ family: Family) async throws -> String {
        let entity = naming == "reference" ? "Tags(101)" : "Parents(101)"
        let payload = EntityPayload(
            ["Name": .string("new")],
            bindings: naming == "reference"
                ? [] : [.init(navigation: "Parent", references: [try family.reference(entity)])])
        switch naming {
        case "reference":
            _ = try await family.change("Parents(101)/Tags", .addReference(try family.reference(entity)))
        case "update": _ = try await family.change("Children(101)", .update(payload))
        case "value":
            let values = EntityPayload(["Name": .string("new"), "ParentID": .integer(101)])
            _ = try await family.change("Children(101)", .update(values))
        default: _ = try await family.change("Children", .create(payload))
        }
        _ = try await family.change(entity, .delete)
        return entity
    }

    /// Without the entity it could only be refused again, though nobody else has changed anything.
    @Test("What names the entity and is refused is not robbed of it: the deletion waits", arguments: namings)
    func refused(naming: String) async throws {
        let family = try await Family()
        family.turn(strict: true)
        let entity = try await nameAndDelete(naming, family)
        let report = try await family.store.upload()
        #expect(report.failed.count == 1 && report.held.map(\.url) == [entity])
        #expect(try await family.served(entity) == 1)
        family.turn(strict: false)
        #expect(try await family.store.upload().isComplete)
        #expect(try await family.served(String(entity.prefix { $0 != "(" })) == 0)
        #expect(try await family.served("Children") == (naming == "creation" ? 2 : 1))
        #expect(try await family.store.queueEntries().isEmpty)
    }

    @Test("A deletion goes when what named the entity was taken back", arguments: namings)
    func undone(naming: String) async throws {
        let family = try await Family()
        family.turn(strict: true)
        let entity = try await nameAndDelete(naming, family)
        _ = try await family.store.upload()
        let error = try #require(try await family.store.errorEntries().first)
        _ = try await family.store.undo(errorID: error.id)
        #expect(try await family.store.upload().succeeded.map(\.url) == [entity])
        #expect(try await family.served(String(entity.prefix { $0 != "(" })) == 0)
    }

    @Test("What names the entity and becomes part of an earlier request is waited for there")
    func mended() async throws {
        let family = try await Family()
        family.turn(strict: true)
        let child = try await family.change("Children", .create(EntityPayload(["Name": .string("new")])))
        let binding = EntityPayload.Binding(navigation: "Parent", references: [try family.reference("Parents(101)")])
        _ = try await family.change(child, .update(EntityPayload([:], bindings: [binding])))
        _ = try await family.change("Parents(101)", .delete)
        #expect(try await family.store.upload().held.map(\.method) == ["PATCH", "DELETE"])
        _ = try await family.change(child, .update(EntityPayload(["Name": .string("mended")])))
        let entries = try await family.store.queueEntries()
        #expect(entries.map(\.method) == ["POST", "DELETE"] && entries[1].dependsOn == [entries[0].id])
        family.turn(strict: false)
        #expect(try await family.store.upload().isComplete)
        #expect(try await family.served("Children?$filter=Name eq 'mended'") == 1)
        #expect(try await family.served("Parents") == 0)
    }
}
