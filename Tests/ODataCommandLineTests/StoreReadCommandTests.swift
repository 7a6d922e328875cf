import Foundation
import Testing
import ToolSupport

@Suite("odata store read", .timeLimit(.minutes(5)))
struct StoreReadCommandTests {
    /// A store with products, photos and their streams.
    private func prepare(_ scratch: borrowing Scratch) async throws {
        let served = try ServedSample(try scratch.sample())
        #expect(try await Tool.run("store", "init", scratch.store, "--service", served.root).status == 0)
        for query in [["Products"], ["WorkOrders"], ["Inspections"], ["Photos", "--streams"]] {
            #expect(try await Tool.run(["store", "query", "add", scratch.store, query[0]] + query).status == 0)
        }
        let download = try await Tool.run("store", "download", scratch.store)
        #expect(download.status == 0, "\(download.standardError)")
        #expect(await served.stop().status == 0)
    }

    private func read(_ scratch: borrowing Scratch, _ url: String, _ options: String...) async throws -> Tool.Output {
        try await Tool.run(["store", "read", scratch.store, url] + options)
    }

    @Test("/$value of a media entity is its stream")
    func streams() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        let (given, printed) = (scratch.folder + "/given.png", scratch.folder + "/printed.png")
        let get = ["store", "media", "get", scratch.store, "Photos(9000)", "--output", given]
        #expect(try await Tool.run(get).status == 0)
        let script = "exec \"$0\" store read \"$1\" 'Photos(9000)/$value' > \"$2\""
        let output = try await Tool.run(["-c", script, try Tool.path(), scratch.store, printed], of: "/bin/sh")
        #expect(output.status == 0, "\(output.standardError)")
        let content = try #require(FileManager.default.contents(atPath: given))
        #expect(!content.isEmpty && FileManager.default.contents(atPath: printed) == content)
        let none = try await read(scratch, "Products('P-0001')/$value")
        #expect(none.status == 1 && none.standardOutput.isEmpty, "\(none.standardError)")
    }

    @Test("/$value of a property is its text and nothing else")
    func rawValues() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        let name = "a\u{1B}[31m,\u{9B}b"
        let json = #"{"Name":"a\u001b[31m,\u009bb"}"#
        #expect(try await Tool.run("store", "update", scratch.store, "Products('P-0001')", json).status == 0)
        for format in ["json", "table", "csv"] {
            let raw = try await read(scratch, "Products('P-0001')/Name/$value", "--format", format)
            #expect(Array(raw.standardOutput.utf8) == Array(name.utf8), "\(raw.standardError)")
        }
        let value = try await read(scratch, "Products('P-0001')/Name", "--format", "csv")
        #expect(Array(value.standardOutput.utf8) == Array("value\r\n\"\(name)\"\r\n".utf8))
        let clear = #"{"Category":null}"#
        #expect(try await Tool.run("store", "update", scratch.store, "Products('P-0002')", clear).status == 0)
        let null = try await read(scratch, "Products('P-0002')/Category/$value")
        #expect(null.status == 0 && null.standardOutput.isEmpty, "\(null.standardError)")
        #expect(null.standardError.contains("is null"), "\(null.standardError)")
    }

    @Test("/$count is the number, $metadata the document")
    func countsAndMetadata() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        #expect(try await read(scratch, "Products/$count").standardOutput == "20\n")
        #expect(try await read(scratch, "Products/$count", "--format", "csv").standardOutput == "20\n")
        let wrapped = try await read(scratch, "Products/$count", "--format", "json")
        #expect(wrapped.standardOutput == "{\"value\":20}\n")
        let xml = try await read(scratch, "$metadata")
        #expect(xml.status == 0 && xml.standardOutput.hasPrefix("<?xml"), "\(xml.standardError)")
        #expect(xml.standardOutput.contains("Name=\"Products\""))
        let summary = try await Tool.run("metadata", "-", input: xml.standardOutput)
        #expect(summary.status == 0 && summary.standardOutput.contains("Photos (media)"), "\(summary)")
        #expect(try await read(scratch, "/$metadata", "--format", "json").json["$Version"] as? String == "4.01")
    }

    @Test("Results without rows have a header in CSV, and a line on standard error for tables")
    func noRows() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        let none = "Products?$filter=Price lt 0&$select=ProductID,Name"
        let table = try await read(scratch, none, "--format", "table")
        #expect(table.status == 0 && table.standardOutput.isEmpty && table.standardError == "No rows.\n")
        let csv = try await read(scratch, none, "--format", "csv")
        #expect(csv.standardOutput == "ProductID,Name\r\n" && csv.standardError.isEmpty)
        #expect(try await read(scratch, none, "--format", "json").standardOutput.contains("\"value\":[]"))
        let queue = try await Tool.run("store", "queue", scratch.store, "--format", "table")
        #expect(queue.standardOutput.isEmpty && queue.standardError == "No requests wait.\n")
    }

    @Test(
        "A value is printed as 'odata get' prints it",
        arguments: [
            "Products('P-0001')/Name", "Products('P-0001')/Price", "Products('P-0002')/Category", "Products/$count",
            "Products?$top=3&$select=ProductID,Name,Price",
        ], ["csv", "table"])
    func asOnline(url: String, format: String) async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        #expect(try await Tool.run("store", "init", scratch.store, "--service", served.root).status == 0)
        #expect(try await Tool.run("store", "query", "add", scratch.store, "all", "Products").status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        let online = try await Tool.run("get", served.root + url, "--format", format)
        #expect(online.status == 0 && !online.standardOutput.isEmpty, "\(online.standardError)")
        #expect(try await read(scratch, url, "--format", format).standardOutput == online.standardOutput)
        let metadata = try await Tool.run("get", served.root + "$metadata", "--format", format)
        #expect(metadata.standardOutput.hasPrefix("<?xml"), "\(metadata.standardOutput.prefix(100))")
    }

    @Test("The status tells support what it asks first")
    func status() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        #expect(try await Tool.run("store", "delete", scratch.store, "WorkOrders(5000)").status == 0)
        let output = try await Tool.run("store", "status", scratch.store)
        let status = output.json
        #expect((status["entities"] as? [String: Int])?["Photos"] == 6, "\(output)")
        #expect((status["service"] as? String)?.hasPrefix("http://127.0.0.1:") == true)
        #expect(status["encrypted"] as? Bool == false && status["storeVersion"] as? Int ?? 0 > 0)
        #expect(status["databaseBytes"] as? Int ?? 0 > 4096 && status["mediaBytes"] as? Int ?? 0 > 0)
        let counts = ["waiting", "unconfirmed", "failed", "held", "errors", "conflicts", "streams"]
        #expect(counts.map { status[$0] as? Int } == [1, 0, 0, 0, 0, 0, 6])
        #expect((status["lastDownload"] as? String)?.hasSuffix("Z") == true && status["lastUpload"] is NSNull)
    }

    @Test("The queue names the entity of each request")
    func queue() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        let create = try await Tool.run(
            "store", "create", scratch.store, "Products", #"{"ProductID":"new","Name":"x","Price":1}"#)
        #expect(create.status == 0, "\(create.standardError)")
        #expect(try await Tool.run("store", "delete", scratch.store, "WorkOrders(5000)").status == 0)
        let queue = try await Tool.run("store", "queue", scratch.store, "--format", "csv")
        let lines = queue.standardOutput.split(separator: "\r\n")
        #expect(lines.first == "id,method,url,entity,state,attempts,changeSet,category")
        #expect(lines.dropFirst().contains { $0.contains("POST,Products,Products('new'),waiting") }, "\(lines)")
        #expect(lines.contains { $0.contains(",WorkOrders(5000),waiting") }, "\(lines)")
    }

    @Test("CSV has what is expanded as JSON, tables how much it is")
    func expanded() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        let photo = try await read(scratch, "Photos(9000)").json
        let id = try #require(photo["InspectionID"] as? Int)
        let query = "Photos?$filter=PhotoID eq 9000&$select=PhotoID&$expand=Inspection($select=InspectionID)"
        let csv = try await read(scratch, query, "--format", "csv")
        #expect(csv.standardOutput == "PhotoID,Inspection\r\n9000,\"{\"\"InspectionID\"\":\(id)}\"\r\n")
        let table = try await read(scratch, query, "--format", "table").standardOutput
        #expect(table.contains("\(id)") && !table.contains("{"), "\(table)")
        let many = "Inspections?$filter=InspectionID eq \(id)&$select=InspectionID&$expand=Photos"
        let counted = try await read(scratch, many, "--format", "table").standardOutput
        #expect(counted.contains(" entities"), "\(counted)")
        let listed = try await read(scratch, many, "--format", "csv").standardOutput
        #expect(listed.contains("\(id),\"[{\"\"PhotoID\"\":"), "\(listed)")
    }
}
