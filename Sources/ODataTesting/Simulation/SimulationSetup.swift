import ODataOffline
import ODataOnline

/// What a simulated run is like, drawn from its seed.
struct SimulationSetup: Sendable {
    let devices: Int
    let steps: Int
    /// Whether the service executes a repeated request once.
    let recognisesRepeats: Bool
    let exactlyOnce: ExactlyOnce
    let dialect: Dialect
    let batchSize: Int
    let batchEncoding: OnlineStore.BatchEncoding
    /// Whether all requests have tags of their own: such requests are not combined.
    let tagsAll: Bool
    let repeatsFailedRequests: Bool
    /// Entities per page of the service.
    let pageSize: Int
    let refresh: DefiningQuery.Refresh
    /// Of 100 requests, how many meet a fault on the way.
    let faults: Int
    /// Of 100 changes, how many the service refuses for no reason.
    let refusals: Int
    /// Of 100 steps, in how many the device is killed.
    let kills: Int
    let quirks: SimulatedQuirks

    /// How devices and service speak with each other.
    enum Dialect: String {
        case version4
        case v2JSON
        case v2Atom
    }

    /// V2 has no singletons.
    var hasSingleton: Bool { dialect == .version4 }
    /// What devices hold.
    var sets: [String] { SimulatedService.sets + (hasSingleton ? [SimulatedService.singleton] : []) }

    init(_ random: inout SplitMix) {
        devices = 1 + random.number(below: 2)
        steps = 20 + random.number(below: 21)
        recognisesRepeats = random.number(below: 2) == 0
        dialect = random.element(of: [.version4, .version4, .v2JSON, .v2Atom])
        // Services of V2 make nothing by PUT.
        let probed: [ExactlyOnce] = dialect == .version4 ? [.clientKeys, .conditional] : [.clientKeys]
        exactlyOnce = random.element(of: recognisesRepeats ? [.automatic, .repeatableRequests] : probed)
        batchSize = random.element(of: [1, 3, 100])
        batchEncoding = random.element(of: [.multipart, .json])
        tagsAll = random.number(below: 2) == 0
        repeatsFailedRequests = random.number(below: 3) == 0
        pageSize = random.element(of: [2, 5, 1000])
        refresh = random.element(of: [.automatic, .automatic, .comparison])
        faults = random.element(of: [0, 10, 25, 40])
        refusals = random.element(of: [0, 0, 10])
        kills = random.element(of: [0, 10, 30])
        quirks = SimulatedQuirks(&random, canMissChanges: recognisesRepeats || devices == 1)
    }
}

extension SimulationSetup: CustomStringConvertible {
    var description: String {
        let repeats = recognisesRepeats ? "recognises repeated requests" : "knows no repeated requests"
        return
            "\(devices) device(s), \(steps) steps; the service \(repeats), pages of \(pageSize), \(dialect.rawValue); "
            + "exactly once: \(exactlyOnce.rawValue), batches of \(batchSize) (\(batchEncoding)), "
            + "tags: \(tagsAll), repeats: \(repeatsFailedRequests), refresh: \(refresh), "
            + "faults \(faults) %, refusals \(refusals) %, kills \(kills) %, "
            + "quirks: \(quirks)"
    }
}
