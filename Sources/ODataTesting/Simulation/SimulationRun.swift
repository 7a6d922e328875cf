import ODataOffline
import ODataService
import ODataStores

/// One run: what it is made of, and its course.
actor SimulationRun {
    let setup: SimulationSetup
    let journal = Journal()
    let service: SimulatedService
    let devices: [SimulatedDevice]
    var random: SplitMix
    var report: SimulationReport
    private let dice: RandomFaults
    private let connection: FaultTransport

    init(seed: UInt64, folder: String) async throws {
        var random = SplitMix(seed: seed &* 0x9E37_79B9 &+ 1)
        setup = SimulationSetup(&random)
        report = SimulationReport(seed: seed, steps: ["\(setup)"])
        let dice = RandomFaults(setup: setup, seed: random.next())
        self.dice = dice
        service = try await SimulatedService(path: folder + "/service.sqlite", setup: setup, moods: dice)
        try await service.fill(journal, singletonAt: setup.hasSingleton ? random.number(below: 6) : nil)
        let direct = InProcessTransport(service: ODataService(store: service.moods))
        connection = FaultTransport(
            next: QuirkTransport(next: direct, quirks: setup.quirks), plan: FaultPlan { dice.fault(for: $0.request) },
            onFault: { dice.note($0) })
        var devices: [SimulatedDevice] = []
        for number in 1...setup.devices {
            let world = DeviceEnvironment(
                number: number, setup: setup, connection: connection,
                decisions: SimulatedDecisions(device: number, journal: journal, service: service), base: folder,
                seed: random.next())
            devices.append(try await SimulatedDevice(world))
        }
        self.devices = devices
        self.random = random
    }

    func run() async -> SimulationReport {
        do {
            dice.turn(on: true)
            for _ in 0..<setup.steps { try await step() }
            dice.turn(on: false)
            await connection.deliver()
            try await settle()
        } catch {
            report.failures.append("The run broke off: \(error)")
        }
        report.faults = dice.counts
        do { try service.close() } catch { report.failures.append("The service cannot be closed: \(error)") }
        return report
    }

    /// Delta tokens name the service's log, which has another name in each run.
    func note(_ device: SimulatedDevice, _ text: String) {
        let text = text.replacing(/deltatoken=[0-9A-F]+/, with: "deltatoken=")
        report.steps.append("device \(device.number): \(text)")
    }

    /// Does something on a device whose process may be killed meanwhile.
    ///
    /// - Returns: The result; nil if the process was killed.
    func attempt<Result: Sendable>(
        _ device: SimulatedDevice, _ text: String, dying moments: [KillSwitch.Moment],
        _ body: (OfflineStore) async throws -> Result
    ) async throws -> Swift.Result<Result, any Error>? {
        let dies = random.number(below: 100) < setup.kills
        if dies { device.killSwitch.arm(random.element(of: moments + [.end])) }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(device.store)) } catch { result = .failure(error) }
        let isKilledMeanwhile = device.killSwitch.isOver
        device.killSwitch.finish()
        device.killSwitch.arm(nil)
        if !isKilledMeanwhile {
            if case .failure(let error) = result { note(device, "\(text): \(error)") } else { note(device, text) }
        }
        if device.killSwitch.isOver {
            note(device, isKilledMeanwhile ? "\(text): killed" : "killed")
            report.kills += 1
            try await device.revive()
        }
        return isKilledMeanwhile ? nil : result
    }
}
