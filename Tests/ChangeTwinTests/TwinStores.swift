import Foundation
import ODataModel
import ODataOffline
import ODataOnline
import ODataSQLite
import ODataService
import ODataStores
import ODataTesting
import Synchronization

/// The stores that a change is made in: a file, and a device of a service over an equal file.
struct TwinStores: Sendable {
    private static let directName = "/direct.db"
    private static let serviceName = "/service.db"
    private static let deviceName = "/device"

    let direct: SQLiteStore
    let service: SQLiteStore
    let device: OfflineStore
    let network: TwinNetwork
    private let folder: String

    /// - Parameters:
    ///   - folder: Has the file of the service and the folder of the device, or nothing yet.
    ///   - model: The model of the service, which is read where it is not known.
    init(in folder: String, _ sample: TwinSample, _ model: EdmModel? = nil) async throws {
        self.folder = folder
        let (directPath, servicePath) = (folder + Self.directName, folder + Self.serviceName)
        if !FileManager.default.fileExists(atPath: servicePath) { try await sample.create(servicePath) }
        try FileManager.default.copyItem(atPath: servicePath, toPath: directPath)
        direct = try sample.open(directPath)
        service = try sample.open(servicePath)
        network = TwinNetwork()
        let transport = FaultTransport(
            next: InProcessTransport(service: ODataService(store: service)), plan: network.plan)
        var remote = OnlineStore.Configuration()
        remote.model = model
        var configuration = OfflineStore.Configuration()
        configuration.changesSurvivePowerLoss = false
        configuration.pause = { _ in }
        let keys = TwinKeys()
        configuration.random = { keys.next() }
        device = try OfflineStore(
            folder: folder + Self.deviceName,
            remote: OnlineStore(serviceRoot: "http://service.test/", transport: transport, configuration: remote),
            configuration: configuration
        )
        try await device.open()
    }

    /// The files of the service and of the device, for other stores. The stores are closed before.
    func copy(to target: String) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        for name in [Self.serviceName, Self.deviceName] {
            try FileManager.default.copyItem(atPath: folder + name, toPath: target + name)
        }
    }

    func close() throws {
        try device.close()
        try service.close()
        try direct.close()
    }

    func remove() throws {
        try close()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The time of the last write to each file: the same as long as nothing is written.
    func writes() throws -> [String: Date] {
        var times: [String: Date] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where !name.hasSuffix("-shm") {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            times[name] = attributes[.modificationDate] as? Date
        }
        return times
    }
}

/// The network of a device: changes are made without it.
final class TwinNetwork: Sendable {
    private let isOn = Mutex(true)

    var plan: FaultPlan { FaultPlan { [self] _ in isOn.withLock { $0 } ? nil : .refused } }

    func set(_ value: Bool) { isOn.withLock { $0 = value } }
}
