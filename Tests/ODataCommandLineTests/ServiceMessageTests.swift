import Foundation
import HTTPTypes
import ODataService
import Synchronization
import TestSupport
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("What the tool says of a service", .timeLimit(.minutes(5)))
struct ServiceMessageTests {
    @Test("Metadata that do not come are told with the service's words")
    func noMetadata() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let overview = try await Tool.run("metadata", served.root + "nope")
        #expect(overview.status == 1)
        #expect(overview.standardError.contains("no segment $metadata"), "\(overview.standardError)")
        #expect(overview.standardError.hasSuffix("\n\(Advice.serviceRoot)\n"))
        let store = try await Tool.run("store", "init", scratch.store, "--service", served.root + "nope/")
        #expect(store.status == 1 && store.standardError.hasSuffix("\n\(Advice.serviceRoot)\n"), "\(store)")
        #expect(!FileManager.default.fileExists(atPath: scratch.store))
    }

    @Test("An address without a scheme is told", arguments: ["localhost:80", "services.example.org/field/"])
    func noScheme(address: String) async throws {
        for arguments in [["metadata", address], ["get", address]] {
            let output = try await Tool.run(arguments)
            #expect(output.status == 1 && output.standardError.contains("http://"), "\(output.standardError)")
        }
    }

    @Test("What is wrong with TLS is told in words")
    func secure() async throws {
        let scratch = try Scratch()
        let plain = try ServedSample(try scratch.sample())
        let secure = plain.root.replacing("http:", with: "https:")
        let output = try await Tool.run("get", secure)
        #expect(output.standardError.contains(": it does not speak TLS.\n"), "\(output.standardError)")
        let files = try TestCertificate.write(to: scratch.folder)
        let other = try ServedSample(
            scratch.folder + "/sample.db",
            ["--host", "localhost", "--tls-cert", files.certificate, "--tls-key", files.key, "--read-only"])
        let untrusted = try await Tool.run("get", other.root)
        let told = untrusted.standardError
        #expect(told.contains("or its issuer is not trusted here."), "\(told)")
        let trusted = try await Tool.run("get", other.root, "--cacert", files.certificate)
        #expect(trusted.status == 0, "\(trusted.standardError)")
        let missing = try await Tool.run("get", other.root, "--cacert", "/nowhere.pem")
        #expect(missing.standardError == "error: There is no file /nowhere.pem.\n")
    }

    @Test("A service that does not respond is abandoned after --timeout seconds")
    func timeout() async throws {
        let held = Mutex<[AsyncStream<Void>.Continuation]>([])
        let output = try await RespondingService.run { _ in
            let (gate, giver) = AsyncStream.makeStream(of: Void.self)
            held.withLock { $0.append(giver) }
            for await _ in gate { break }
            return .text("{}")
        } _: { root in
            defer { for giver in held.withLock({ $0 }) { giver.finish() } }
            return try await Tool.run("get", root + "Things", "--timeout", "1")
        }
        #expect(output.status == 1)
        #expect(output.standardError.contains("did not respond in time"), "\(output.standardError)")
        #expect(try await Tool.run("get", "http://127.0.0.1/", "--timeout", "0").status == 2)
        #expect(try await Tool.run("get", "http://127.0.0.1/", "--client-cert", "x").status == 2)
    }
}
