import Foundation
import Testing
import ToolSupport

@Suite struct StoreCommandTests {
    /// A store of the sample with all queries downloaded.
    private func prepare(_ scratch: borrowing Scratch, _ root: String) async throws {
        #expect(try await Tool.run("store", "init", scratch.store, "--service", root).status == 0)
        for (name, query) in [
            ("orders", "SalesOrders?$expand=SalesOrderItems"), ("products", "Products"), ("work", "WorkOrders"),
            ("inspections", "Inspections"),
        ] {
            #expect(try await Tool.run("store", "query", "add", scratch.store, name, query).status == 0)
        }
        #expect(try await Tool.run("store", "query", "add", scratch.store, "photos", "Photos", "--streams").status == 0)
        let download = try await Tool.run("store", "download", scratch.store)
        #expect(download.status == 0, "\(download.standardError)")
    }

    @Test func theWholeWayWithTheServiceStoppedInBetween() async throws {
        let scratch = try Scratch()
        let database = try scratch.sample()
        var served = try ServedSample(database)
        let port = try #require(URL(string: served.root)?.port)
        try await prepare(scratch, served.root)
        #expect(await served.stop().status == 0)

        let read = try await Tool.run(
            "store", "read", scratch.store, "/SalesOrders?$filter=SalesOrderID eq 1001&$expand=SalesOrderItems")
        #expect(read.rows.count == 1)
        #expect((read.rows.first?["SalesOrderItems"] as? [Any])?.isEmpty == false)
        let explained = try await Tool.run(
            "store", "read", scratch.store, "SalesOrders?$filter=SalesOrderID eq 1001&$expand=SalesOrderItems",
            "--explain")
        #expect(explained.status == 0)
        #expect(explained.standardOutput.contains("SELECT") && explained.standardOutput.contains("1001"))
        #expect(explained.standardOutput.contains("json_each"), "one statement for all that is expanded")
        let count = try await Tool.run("store", "read", scratch.store, "Products/$count")
        #expect(count.standardOutput == "20\n")

        #expect(
            try await Tool.run("store", "update", scratch.store, "WorkOrders(5000)", #"{"State":"done"}"#).status == 0)
        let created = try await Tool.run(
            "store", "create", scratch.store, "SalesOrders",
            #"{"BusinessPartnerID":100,"OrderDate":"2024-01-01","SalesOrderItems":[{"Position":10,"ProductID":"P-0001","Quantity":1,"Price":2.5}]}"#
        )
        let id = try #require(created.json["@odata.id"] as? String)
        #expect(created.json["SalesOrderID"] == nil)
        let items = try await Tool.run("store", "read", scratch.store, "\(id)/SalesOrderItems")
        #expect(items.rows.count == 1)
        let picture = scratch.folder + "/p.png"
        try Data("not much of a picture".utf8).write(to: URL(fileURLWithPath: picture))
        let photo = try await Tool.run(
            "store", "media", "create", scratch.store, "Photos", picture, "--type", "image/png", "--properties",
            #"{"Caption":"New"}"#)
        let photoID = try #require(photo.json["@odata.id"] as? String)
        #expect(try await Tool.run("store", "delete", scratch.store, "Photos(9001)").status == 0)

        let queue = try await Tool.run("store", "queue", scratch.store)
        #expect(queue.rows.count >= 4)
        #expect(
            queue.rows.allSatisfy { $0["id"] != nil && $0["method"] != nil && $0["url"] != nil && $0["state"] != nil })
        #expect(try await Tool.run("store", "upload", scratch.store).status == 1, "the service cannot be reached")
        #expect(try await Tool.run("store", "queue", scratch.store).rows.count == queue.rows.count)

        served = try ServedSample(
            database, ["--media", "Photos=Content:image/png", "--track-changes", "--port", "\(port)"])
        let upload = try await Tool.run("store", "upload", scratch.store)
        #expect(upload.status == 0, "\(upload.standardError)")
        #expect(try await Tool.run("store", "queue", scratch.store).rows.isEmpty)
        let after = try await Tool.run("store", "read", scratch.store, id)
        let key = try #require(after.json["SalesOrderID"] as? Int)
        #expect(key == 1030)
        let remote = try await Tool.run(
            "get", "\(served.root)SalesOrders(\(key))?$expand=SalesOrderItems", "--format", "json")
        #expect((remote.json["SalesOrderItems"] as? [Any])?.count == 1)
        let output = scratch.folder + "/out.png"
        #expect(try await Tool.run("store", "media", "get", scratch.store, photoID, "--output", output).status == 0)
        #expect(FileManager.default.contents(atPath: output) == Data("not much of a picture".utf8))
        #expect(await served.stop().status == 0)
    }

    @Test func whatTheServiceRefusesIsListedAndKept() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        _ = try await Tool.run(
            "store", "create", scratch.store, "SalesOrders", #"{"BusinessPartnerID":99999,"OrderDate":"2024-01-01"}"#)
        let upload = try await Tool.run("store", "upload", scratch.store)
        #expect(upload.status == 3)
        let errors = try await Tool.run("store", "errors", scratch.store)
        let id = try #require(errors.rows.first?["id"] as? Int)
        #expect(upload.standardError.contains("\n    error \(id): 409: "), "\(upload.standardError)")
        #expect(upload.standardError.contains("'odata store errors edit \(scratch.store) \(id) JSON'"))
        #expect(upload.standardError.contains("'odata store errors undo \(scratch.store) \(id)'"))
        #expect(upload.standardError.contains("1 request remains"))
        let request = try #require(errors.rows.first?["requestID"] as? Int)
        if request != id {
            let swapped = try await Tool.run("store", "errors", "retry", scratch.store, "\(request)")
            #expect(swapped.status == 1)
            #expect(swapped.standardError.contains("The entry of the request \(request) is \(id)."))
        }
        let events = try await Tool.run("store", "events", scratch.store, "--format", "csv").standardOutput
        #expect(events.contains(#"partial,"0 sent, 1 failed","#), "\(events)")
        let downloads = try await Tool.run("store", "events", scratch.store, "--format", "table").standardOutput
        #expect(downloads.contains(" entities"), "\(downloads)")
        #expect(errors.rows.first?["status"] as? Int == 409)
        #expect(errors.rows.first?["requestID"] != nil)
        #expect(try await Tool.run("store", "queue", scratch.store).rows.first?["state"] as? String == "failed")
        #expect(try await Tool.run("store", "upload", scratch.store).status == 3)
    }

    @Test func aRefusedRequestCanBeTakenBack() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let wrong = #"{"ProductID":"P-9999","Quantity":1}"#
        let item = "SalesOrderItems(SalesOrderID=1001,Position=10)"
        #expect(try await Tool.run("store", "update", scratch.store, item, wrong).status == 0)
        #expect(try await Tool.run("store", "upload", scratch.store).status == 3)
        let id = try #require(try await Tool.run("store", "queue", scratch.store).rows.first?["id"] as? Int)
        #expect(try await Tool.run("store", "undo", scratch.store, "\(id)").status == 0)
        #expect(try await Tool.run("store", "queue", scratch.store).rows.isEmpty)
        #expect(try await Tool.run("store", "errors", scratch.store).rows.isEmpty)
        let read = try await Tool.run("store", "read", scratch.store, item)
        #expect(read.json["ProductID"] as? String != "P-9999")
        #expect(try await Tool.run("store", "undo", scratch.store, "\(id)").status == 1)
        #expect(try await Tool.run("store", "conflicts", "mine", scratch.store, "\(id)").status == 1)
    }

    @Test func refusedRequestsAreEditedSkippedAndUndone() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let wrong = #"{"ProductID":"P-9999","Quantity":1}"#
        let item = "SalesOrderItems(SalesOrderID=1001,Position=10)"
        let id = { try #require(try await Tool.run("store", "errors", scratch.store).rows.first?["id"] as? Int) }
        for _ in 0..<2 {
            #expect(try await Tool.run("store", "update", scratch.store, item, wrong).status == 0)
            #expect(try await Tool.run("store", "upload", scratch.store).status == 3)
            let plan = try await Tool.run("store", "errors", "undo", scratch.store, "\(try await id())", "--dry-run")
            #expect(plan.rows.count == 1)
            #expect(try await Tool.run("store", "errors", "skip", scratch.store, "\(try await id())").status == 0)
            #expect(try await Tool.run("store", "queue", scratch.store).rows.isEmpty)
        }
        #expect(try await Tool.run("store", "update", scratch.store, item, wrong).status == 0)
        #expect(try await Tool.run("store", "upload", scratch.store).status == 3)
        #expect(try await Tool.run("store", "errors", "retry", scratch.store, "\(try await id())").status == 0)
        #expect(try await Tool.run("store", "upload", scratch.store).status == 3)
        let edited = try await Tool.run(
            "store", "errors", "edit", scratch.store, "\(try await id())", #"{"Quantity":7}"#)
        #expect(edited.status == 0, "\(edited.standardError)")
        #expect(try await Tool.run("store", "upload", scratch.store).status == 0)
        #expect(try await Tool.run("store", "read", scratch.store, item).json["Quantity"] as? Int == 7)
        #expect(try await Tool.run("store", "update", scratch.store, item, #"{"Quantity":8}"#).status == 0)
        #expect(try await Tool.run("store", "undo", scratch.store, item, "--dry-run").rows.count == 1)
        #expect(try await Tool.run("store", "undo", scratch.store, "--all").rows.count == 1)
        #expect(try await Tool.run("store", "read", scratch.store, item).json["Quantity"] as? Int == 7)
        #expect(try await Tool.run("store", "undo", scratch.store, "1", "--category", "x").status == 2)
    }

    @Test func getPrintsOneDocument() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let count = try await Tool.run("get", "\(served.root)Products/$count", "--format", "json")
        #expect(count.standardOutput == "{\"value\":20}\n")
        let table = try await Tool.run("get", "\(served.root)Products?$top=2&$filter=Price gt 1", "--format", "csv")
        #expect(table.standardOutput.split(whereSeparator: \.isNewline).count == 3)
        let metadata = try await Tool.run("metadata", served.root)
        #expect(metadata.standardOutput.contains("Photos (media)"))
    }

    @Test func aStoreWithoutItsDatabaseIsAnError() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        try FileManager.default.removeItem(atPath: scratch.store + "/store.sqlite")
        for command in [["queue"], ["upload"], ["download"]] {
            let output = try await Tool.run(["store"] + command + [scratch.store])
            #expect(output.status == 1)
            #expect(output.standardError.contains("store.sqlite"))
        }
    }

    @Test func aServiceThatCannotBeReachedLeavesNoFolder() async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/deep/er"
        #expect(try await Tool.run("store", "init", folder, "--service", "http://127.0.0.1:1/").status == 1)
        #expect(!FileManager.default.fileExists(atPath: scratch.folder + "/deep"))
    }

    @Test func whatAnEndedInitHasLeftIsTakenUp() async throws {
        let scratch = try Scratch()
        let (asked, arrival) = AsyncStream<Void>.makeStream()
        let (gate, giver) = AsyncStream<Void>.makeStream()
        try await RespondingService.run { _ in
            arrival.finish()
            for await _ in gate {}
            return .text("{}")
        } _: { root in
            let tool = try RunningTool(["store", "init", scratch.store, "--service", root])
            for await _ in asked {}
            tool.send(SIGKILL)
            _ = await tool.finish()
            giver.finish()
        }
        #expect(FileManager.default.fileExists(atPath: scratch.store + "/odata.json"))
        let served = try ServedSample(try scratch.sample())
        let again = try await Tool.run("store", "init", scratch.store, "--service", served.root)
        #expect(again.status == 0, "\(again.standardError)")
        #expect(try await Tool.run("store", "init", scratch.store, "--service", served.root).status == 1)
    }

    @Test func aStoreThatCannotBeMadeLeavesNothingInAMediaFolder() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let (shared, folder) = (scratch.folder + "/shared", scratch.folder + "/other")
        let failing = ["store", "init", folder, "--service", "http://127.0.0.1:1/", "--media-folder", shared]
        #expect(try await Tool.run(failing).status == 1)
        #expect(!FileManager.default.fileExists(atPath: shared))
        let made = try await Tool.run(
            "store", "init", scratch.store, "--service", served.root, "--media-folder", shared)
        #expect(made.status == 0, "\(made.standardError)")
        let before = try FileManager.default.contentsOfDirectory(atPath: shared).filter { $0.hasPrefix("partial") }
        #expect(before.count == 1)
        #expect(try await Tool.run(failing).status == 1)
        let after = try FileManager.default.contentsOfDirectory(atPath: shared).filter { $0.hasPrefix("partial") }
        #expect(after == before)
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try await Tool.run("store", "status", scratch.store).status == 0)
    }

    @Test func wrongUseAndFailuresHaveTheirStatus() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let cases: [([String], Int32, String)] = [
            (["store", "read", scratch.store], 2, "Missing expected argument"),
            (["nonsense"], 2, "nonsense"),
            (
                ["store", "media", "put", scratch.store, "Photos(9000)", scratch.folder, "--type", "nonsense"], 2,
                "type"
            ),
            (["store", "read", scratch.store, "Produts"], 1, "Products"),
            (["store", "read", scratch.store, "Products?$filter=Nme eq 'x'"], 1, "Name"),
            (["store", "read", scratch.store, "Products?$apply=aggregate(Forecast)"], 1, "Forecast"),
            (["store", "read", scratch.folder + "/none", "Products"], 1, "odata store init"),
            (["store", "query", "add", scratch.store, "work", "WorkOrders"], 1, "work"),
            (
                ["store", "media", "get", scratch.store, "Photos(99)", "--output", scratch.folder + "/x"], 1,
                "Photos(99)"
            ),
            (["store", "update", scratch.store, "Products('P-0001')", #"{"Prise":1}"#], 1, "Price"),
            (["store", "update", scratch.store, "Products('P-0001')", #"{"Price":"#], 1, ""),
            (["get", "\(served.root)Nothing"], 1, "404"),
            (["get", "nothing"], 1, "absolute"),
            (["serve", scratch.folder + "/none.db"], 1, "none.db"),
        ]
        for (arguments, status, words) in cases {
            let output = try await Tool.run(arguments)
            #expect(output.status == status, "\(arguments)")
            #expect(output.standardError.contains(words) || words.isEmpty, "\(arguments): \(output.standardError)")
            #expect(output.standardOutput.isEmpty, "\(arguments)")
        }
    }

    @Test func anArgumentThatIsNoTextIsRefused() async throws {
        let tool = try Tool.path()
        let bytes = #"exec "$0" url parse "$(printf "Things('a\377')")""#
        let refused = try await Tool.run(["-c", bytes, tool], of: "/bin/sh")
        #expect(refused.status == 2 && refused.standardOutput.isEmpty)
        #expect(refused.standardError.contains("UTF-8"), "\(refused.standardError)")
    }

    @Test func everyCommandHasHelpWithAnExample() async throws {
        let output = try await Tool.run("--experimental-dump-help")
        #expect(output.standardOutput.contains("every N downloads. With name= before it of one query only."))
        #expect(!output.standardOutput.contains("ArgumentHelp("))
        var open = [try #require(output.json["command"] as? [String: Any])]
        var count = 0
        while let command = open.popLast() {
            let name = command["commandName"] as? String ?? ""
            // The parser's own, and those that are not shown.
            guard name != "help", command["shouldDisplay"] as? Bool != false else { continue }
            count += 1
            #expect((command["discussion"] as? String)?.contains("EXAMPLE") == true, "\(name)")
            open += command["subcommands"] as? [[String: Any]] ?? []
        }
        #expect(count > 40)
        #expect(try await Tool.run("store", "check", "--help").standardOutput.contains("EXAMPLE"))
    }

    @Test func theDemoComparesBothSides() async throws {
        let output = try await Tool.run("demo")
        #expect(output.status == 0, "\(output.standardError)")
        #expect(output.standardOutput.contains("Both sides are the same."))
    }
}
