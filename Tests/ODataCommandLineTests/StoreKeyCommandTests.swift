import Foundation
import Testing
import ToolSupport

@Suite struct StoreKeyCommandTests {
    /// A key file with as many bytes.
    private func keyFile(_ name: String, _ bytes: String, in scratch: borrowing Scratch) throws -> String {
        let path = scratch.folder + "/" + name
        try Data(bytes.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func anEncryptedStoreIsUsedWithItsKey() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let old = try keyFile("old", String(repeating: "0a", count: 32) + "\n", in: scratch)
        let new = try keyFile("new", String(repeating: "k", count: 32), in: scratch)
        let short = try keyFile("short", "0a", in: scratch)
        let root = served.root
        let refused = try await Tool.run("store", "init", scratch.store, "--service", root, "--key-file", short)
        #expect(refused.status == 1 && refused.standardError.contains("32 bytes"))
        let made = try await Tool.run("store", "init", scratch.store, "--service", root, "--key-file", old)
        #expect(made.status == 0, "\(made.standardError)")
        let environment = ["ODATA_KEY_FILE": old]
        let add = ["store", "query", "add", scratch.store, "products", "Products"]
        #expect(try await Tool.run(add, environment: environment).status == 0)
        #expect(try await Tool.run("store", "download", scratch.store, "--key-file", old).status == 0)
        let keyless = try await Tool.run("store", "read", scratch.store, "Products")
        #expect(keyless.status == 1 && keyless.standardError.contains("is encrypted"))
        let wrong = try await Tool.run("store", "read", scratch.store, "Products", "--key-file", new)
        #expect(wrong.status == 1 && wrong.standardError.contains("another key"))
        let rekey = try await Tool.run("store", "rekey", scratch.store, "--key-file", old, "--new-key-file", new)
        #expect(rekey.status == 0, "\(rekey.standardError)")
        let count = ["store", "read", scratch.store, "Products/$count", "--key-file"]
        #expect(try await Tool.run(count + [old]).status == 1)
        #expect(try await Tool.run(count + [new]).standardOutput == "20\n")
    }

    @Test func aRebuiltStoreIsUsedLikeOthers() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        #expect(try await Tool.run("store", "init", scratch.store, "--service", served.root).status == 0)
        #expect(try await Tool.run("store", "query", "add", scratch.store, "products", "Products").status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        let update = ["store", "update", scratch.store, "Products('P-0001')", #"{"Price":7}"#]
        #expect(try await Tool.run(update).status == 0)
        let rebuild = try await Tool.run("store", "rebuild", scratch.store)
        #expect(rebuild.status == 0, "\(rebuild.standardError)")
        #expect(rebuild.standardError.contains("1 request,"))
        #expect(try await Tool.run("store", "queue", scratch.store).rows.count == 1)
        #expect(try await Tool.run("store", "upload", scratch.store).status == 0)
        #expect(try await Tool.run("store", "read", scratch.store, "Products/$count").standardOutput == "20\n")
        try FileManager.default.removeItem(atPath: scratch.store + "/store-1.sqlite")
        let missing = try await Tool.run("store", "queue", scratch.store)
        #expect(missing.status == 1 && missing.standardError.contains("current"))
    }
}
