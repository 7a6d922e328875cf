import ArgumentParser
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import OData
import ODataServer
import ODataService
import ODataTesting

/// The compliance sample as a service, as `odata serve --sample compliance` publishes it.
struct ServeSample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve-sample", shouldDisplay: false)

    func run() async throws {
        let sample = try await ComplianceSample.make()
        let server = try await ODataServer.start(service: ODataService(store: sample.store))
        try ServiceProcess.run(at: server.rootURL)
        try await server.stop()
        try sample.tables.close()
    }
}

/// Responses that are always the same, of a Hummingbird application with a router: `/0`, `/1`, … with so many bytes.
struct ServeConstants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve-constants", shouldDisplay: false)

    @Argument(help: "The lengths of the bodies.") var lengths: [Int]

    func run() async throws {
        let router = Router()
        for (index, length) in lengths.enumerated() {
            let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: length)
            router.get("\(index)") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
            }
        }
        var logger = Logger(label: "constants")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                let root = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/"
                FileHandle.standardOutput.write(Data((root + "\n").utf8))
            }, logger: logger)
        try await application.runService()
    }
}
