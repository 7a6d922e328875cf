import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("Deletions are not taken for done, and take nothing away from what waits")
struct DeletionTests {
    /// What the service answers instead of acting.
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

    @Test("One that finds nothing is refused where the entity is there, and can be tried again", arguments: [404, 410])
    func there(status: Int) async throws {
        let mood = Mood()
        let device = try await device(mood)
        mood.set(change: ODataError(status == 404 ? .notFound : .gone, "Not found on purpose."))
        let report = try await device.store.upload()
        #expect(report.failed.map(\.url) == [Self.entity] && report.succeeded.isEmpty)
        #expect(try device.store.errorEntries().map(\.status) == [status])
        mood.set()
        try await device.store.download()
        #expect(try await device.count("Items") == 49)
        #expect(try await device.store.upload().isComplete)
        #expect(try !isServed(device))
        #expect(try device.store.errorEntries().isEmpty)
    }

    @Test("One that finds nothing waits while the service cannot be asked for the entity")
    func unreachable() async throws {
        let mood = Mood()
        let device = try await device(mood)
        mood.set(change: ODataError(.gone, "Gone on purpose."), read: ODataError(.unreachable, "Cut on purpose."))
        await #expect { try await device.store.upload() } throws: { ($0 as? ODataError)?.code == .unreachable }
        #expect(try device.store.queueEntries().map(\.state) == [.waiting])
        mood.set()
        #expect(try await device.store.upload().isComplete)
        #expect(try !isServed(device))
    }

    @Test("One that finds nothing is done where the entity cannot be read by anybody", arguments: [403, 405, 501])
    func unreadable(status: Int) async throws {
        let mood = Mood()
        let device = try await device(mood)
        let code: ODataError.Code = [403: .forbidden, 405: .methodNotAllowed][status] ?? .notImplemented
        mood.set(change: ODataError(.notFound, "Not found."), read: ODataError(code, "Not to be read."))
        #expect(try await device.store.upload().succeeded.map(\.url) == [Self.entity])
        #expect(try device.store.queueEntries().isEmpty)
    }

    @Test("One that finds nothing is refused where the service has a fault when it is asked for the entity")
    func faulty() async throws {
        let mood = Mood()
        let device = try await device(mood)
        mood.set(change: ODataError(.notFound, "Not found."), read: ODataError(.internalError, "Out of order."))
        #expect(try await device.store.upload().failed.first?.message.contains("Out of order.") == true)
        mood.set()
        #expect(try await device.store.upload().isComplete)
        #expect(try !isServed(device))
    }
}
