import Foundation
import Testing
import ToolSupport

@Suite("odata store query set", .timeLimit(.minutes(5)))
struct StoreQuerySetCommandTests {
    /// An empty store of a service that runs as long as the result lives.
    private func prepare(_ scratch: borrowing Scratch) async throws -> ServedSample {
        let served = try ServedSample(try scratch.sample())
        #expect(try await Tool.run("store", "init", scratch.store, "--service", served.root).status == 0)
        return served
    }

    /// `orders: added`
    private func changes(_ output: Tool.Output) -> [String] {
        output.rows.map { "\($0["name"] ?? ""): \($0["change"] ?? "")" }
    }

    private func set(_ store: String, _ arguments: String...) async throws -> Tool.Output {
        try await Tool.run(["store", "query", "set", store] + arguments)
    }

    private func queries(_ store: String) async throws -> String {
        try await Tool.run("store", "query", "list", store, "--format", "csv").standardOutput
    }

    private func count(_ set: String, in store: String) async throws -> String {
        try await Tool.run("store", "read", store, "\(set)/$count").standardOutput
    }

    @Test("What is the same is kept with its data; what differs is added, changed or removed")
    func declared() async throws {
        let scratch = try Scratch()
        let served = try await prepare(scratch)
        defer { withExtendedLifetime(served) {} }
        let store = scratch.store
        let first = try await set(store, "products=Products", "work=WorkOrders", "photos=Photos")
        #expect(first.status == 0, "\(first.standardError)")
        #expect(changes(first) == ["products: added", "work: added", "photos: added"])
        #expect(first.standardError == "'odata store download \(store)' fetches what was added or changed.\n")
        #expect(try await Tool.run("store", "download", store).status == 0)

        let same = try await set(store, "products=Products", "work=WorkOrders", "photos=Photos")
        #expect(same.status == 0 && same.standardError.isEmpty, "\(same.standardError)")
        #expect(changes(same) == ["products: kept", "work: kept", "photos: kept"])

        let next = try await set(
            store, "work=WorkOrders", "photos=Photos?$filter=PhotoID lt 9002", "orders=SalesOrders")
        #expect(next.status == 0, "\(next.standardError)")
        #expect(changes(next) == ["orders: added", "photos: changed", "work: kept", "products: removed"])
        #expect(try await count("Products", in: store) == "0\n")
        #expect(try await count("WorkOrders", in: store) == "20\n")
        #expect(try await count("Photos", in: store) == "6\n", "until the next download")
        #expect(try await Tool.run("store", "sync", store).status == 0)
        #expect(try await count("Photos", in: store) == "2\n")
        #expect(try await count("SalesOrders", in: store) == "30\n")
    }

    @Test("Options are of the query that they name, or of all")
    func options() async throws {
        let scratch = try Scratch()
        let served = try await prepare(scratch)
        defer { withExtendedLifetime(served) {} }
        let arguments = ["store", "query", "set", scratch.store, "photos=Photos", "work=WorkOrders"]
        let options = ["--streams", "photos", "--check-streams", "photos", "--refresh", "comparison"]
        let output = try await Tool.run(arguments + options)
        #expect(output.status == 0, "\(output.standardError)")
        let list = try await queries(scratch.store)
        #expect(list.contains("photos,Photos,true,comparison,true\r\n"), "\(list)")
        #expect(list.contains("work,WorkOrders,false,comparison,false\r\n"), "\(list)")
        let other = try await Tool.run(arguments + ["--refresh", "work=delta"])
        #expect(changes(other) == ["photos: changed", "work: changed"])
        let after = try await queries(scratch.store)
        #expect(after.contains("photos,Photos,false,automatic,false\r\n"), "\(after)")
        #expect(after.contains("work,WorkOrders,false,delta,false\r\n"), "\(after)")
    }

    @Test("An error in one query leaves all as before, and all errors are shown")
    func wrong() async throws {
        let scratch = try Scratch()
        let served = try await prepare(scratch)
        defer { withExtendedLifetime(served) {} }
        let store = scratch.store
        #expect(try await set(store, "products=Products", "work=WorkOrders").status == 0)
        let before = try await queries(store)
        let one = try await set(store, "work=WorkOrders", "orders=SalesOrders", "photos=Photo")
        #expect(one.status == 1 && one.standardOutput.isEmpty)
        #expect(one.standardError.hasPrefix("error: The defining query photos: "), "\(one.standardError)")
        #expect(try await queries(store) == before)
        let two = try await set(store, "work=WorkOrders?$filter=Nope eq 1", "orders=SalesOrders", "photos=Photo")
        #expect(two.status == 1 && two.standardOutput.isEmpty)
        let lines = two.standardError.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix("error: 2 defining queries are wrong, and none was changed:") == true, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  work: ") && $0.contains("Nope") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  photos: ") && $0.contains("Photo") }, "\(lines)")
        #expect(try await queries(store) == before)
        let twice = try await set(store, "work=WorkOrders", "work=Products")
        #expect(twice.status == 1 && twice.standardError.contains("named work"), "\(twice.standardError)")
        #expect(try await queries(store) == before)
    }

    @Test(
        "Arguments without a name, and options of other queries, are wrong usage",
        arguments: [
            [], ["WorkOrders"], ["=WorkOrders"], ["work="], ["WorkOrders?$filter=WorkOrderID eq 1"],
            ["work=WorkOrders", "--streams", "wrok"], ["work=WorkOrders", "--refresh", "wrok=delta"],
        ])
    func usage(arguments: [String]) async throws {
        let output = try await Tool.run(["store", "query", "set", "field"] + arguments)
        #expect(output.status == 2, "\(output.standardError)")
        #expect(output.standardError.hasSuffix("See 'odata store query set --help' for more information.\n"))
    }

    @Test("On a terminal it asks before it removes a query, and not with -y")
    func asked() async throws {
        let scratch = try Scratch()
        let served = try await prepare(scratch)
        defer { withExtendedLifetime(served) {} }
        let store = scratch.store
        #expect(try await set(store, "products=Products", "work=WorkOrders").status == 0)
        let arguments = ["store", "query", "set", store, "work=WorkOrders"]
        let question = "Remove 1 query (products) with their data from \(store)? [y/N] "
        for (typed, isRemoved) in [("n\n", false), ("y\n", true)] {
            let terminal = try PseudoTerminal(arguments, columns: 400, takesInput: true)
            let shown = await terminal.read(until: question)
            #expect(shown.contains(question), "\(shown)")
            try terminal.write(typed)
            let output = await terminal.finish()
            #expect(output.status == 0)
            #expect(output.standardError.contains("Nothing was changed.") == !isRemoved, "\(output.standardError)")
            #expect(try await queries(store).contains("products") == !isRemoved)
        }
        #expect(try await set(store, "products=Products", "work=WorkOrders").status == 0)
        let terminal = try PseudoTerminal(arguments + ["-y"], columns: 400, takesInput: true)
        let output = await terminal.finish()
        #expect(output.status == 0 && !output.standardError.contains("[y/N]"), "\(output.standardError)")
        #expect(try await !queries(store).contains("products"))
    }
}
