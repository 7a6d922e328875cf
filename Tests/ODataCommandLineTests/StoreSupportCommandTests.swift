import Foundation
import GRDB
import OData
import Testing
import ToolSupport

/// What a person does about a store besides reading and changing it.
@Suite struct StoreSupportCommandTests {
    /// A store with some of the sample, downloaded.
    private func prepare(_ scratch: borrowing Scratch, _ root: String) async throws {
        #expect(try await Tool.run("store", "init", scratch.store, "--service", root).status == 0)
        for (name, query) in [("products", "Products"), ("work", "WorkOrders?$filter=WorkOrderID lt 5005")] {
            #expect(try await Tool.run("store", "query", "add", scratch.store, name, query).status == 0)
        }
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
    }

    @Test func undoOfAllMustBeSaid() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        for product in ["P-0001", "P-0002"] {
            let update = try await Tool.run("store", "update", scratch.store, "Products('\(product)')", #"{"Price":1}"#)
            #expect(update.status == 0)
        }
        let refused = try await Tool.run("store", "undo", scratch.store)
        #expect(refused.status == 2 && refused.standardError.contains("--all"))
        #expect(try await Tool.run("store", "undo", scratch.store, "--all", "--category", "x").status == 2)
        let open = try OfflineStore(folder: scratch.store, remote: nil)
        #expect(try await Tool.run("store", "undo", scratch.store, "--dry-run").rows.count == 2)
        #expect(try await Tool.run("store", "undo", scratch.store, "--all").status == 1, "another process has it")
        try open.close()
        #expect(try await Tool.run("store", "queue", scratch.store).rows.count == 2)
        #expect(try await Tool.run("store", "undo", scratch.store, "--all").rows.count == 2)
        #expect(try await Tool.run("store", "queue", scratch.store).rows.isEmpty)
    }

    @Test func aStoreWhoseMakingWasKilledIsMadeAgain() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let initialise = ["store", "init", scratch.store, "--service", served.root]
        // What is there before the service is asked.
        try OfflineStore(folder: scratch.store, remote: nil).close()
        let letter = scratch.store + "/letter.txt"
        try Data("Dear".utf8).write(to: URL(fileURLWithPath: letter))
        #expect(try await Tool.run(initialise).status == 1)
        #expect(FileManager.default.fileExists(atPath: letter))
        try FileManager.default.removeItem(atPath: letter)
        let made = try await Tool.run(initialise)
        #expect(made.status == 0, "\(made.standardError)")
        #expect(try await Tool.run("store", "read", scratch.store, "Products").rows.isEmpty)
        #expect(try await Tool.run(initialise).status == 1, "it is made")
        // A store that an app has begun to use is left alone.
        let other = scratch.folder + "/other"
        let store = try OfflineStore(folder: other, remote: nil)
        try store.addQuery(DefiningQuery(name: "products", query: "Products"))
        try store.close()
        #expect(try await Tool.run("store", "init", other, "--service", served.root).status == 1)
        let again = try OfflineStore(folder: other, remote: nil)
        #expect(try await again.queries.map(\.name) == ["products"])
        try again.close()
    }

    @Test func eventsAreFollowedWhileAnotherProcessWrites() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let follow = try RunningTool(["store", "events", scratch.store, "--follow"])
        let next = {
            let line = try #require(follow.nextLine())
            return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(try next()["kind"] as? String == "download")
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        var event = try next()
        // It may have been seen while it ran.
        if event["outcome"] is NSNull { event = try next() }
        #expect(event["id"] as? Int == 2 && event["outcome"] as? String == "succeeded")
        follow.send(SIGTERM)
        let output = await follow.finish()
        #expect(output.status == 0, "\(output.standardError)")
        #expect(try await Tool.run("store", "events", scratch.store, "--follow", "--format", "csv").status == 2)
    }

    @Test func eventsTellWhatWasDone() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        #expect(await served.stop().status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 1)
        let open = try OfflineStore(folder: scratch.store, remote: nil)
        let events = try await Tool.run("store", "events", scratch.store).rows
        try open.close()
        #expect(events.map { $0["kind"] as? String } == ["download", "download"])
        #expect(events.map { $0["outcome"] as? String } == ["failed", "succeeded"])
        #expect(events[0]["message"] is String)
        let counts = events[1]["counts"] as? [String: Any]
        let queries = counts?["queries"] as? [[String: Any]] ?? []
        #expect(queries.first { $0["name"] as? String == "products" }?["entities"] as? Int == 20)
        #expect(try await Tool.run("store", "events", scratch.store, "--limit", "1").rows.count == 1)
        #expect(try await Tool.run("store", "events", scratch.store, "--since", "2000-01-31").rows.count == 2)
        #expect(try await Tool.run("store", "events", scratch.store, "--since", "2999-01-31T08:00").rows.isEmpty)
        #expect(try await Tool.run("store", "events", scratch.store, "--since", "yesterday").status == 2)
    }

    @Test func aCopyForSupportCanBeReadAndLacksWhatIsLeftOut() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let update = try await Tool.run(
            "store", "update", scratch.store, "Products('P-0001')", #"{"Category":"secret words","Price":7}"#)
        #expect(update.status == 0)
        let copy = scratch.folder + "/copy"
        let options = ["--without", "Products/Name,Products/Category", "--without", "WorkOrders/Title"]
        let open = try OfflineStore(folder: scratch.store, remote: nil)
        let sent = try await Tool.run(["store", "send", scratch.store, copy] + options)
        #expect(sent.status == 0, "\(sent.standardError)")
        try open.close()
        for command in [["check"], ["status"], ["errors"]] {
            #expect(try await Tool.run(["store"] + command + [copy]).status == 0, "\(command)")
        }
        for command in [["upload", copy], ["download", copy], ["rebuild", copy], ["undo", copy, "--all"]] {
            let refused = try await Tool.run(["store"] + command)
            #expect(refused.status == 1 && refused.standardError.contains("copy for support"), "\(command)")
        }
        let product = try await Tool.run("store", "read", copy, "Products('P-0001')").json
        #expect(product["Price"] as? Int == 7 && product["Category"] is NSNull)
        #expect((product["Name"] as? String)?.allSatisfy { $0 == "x" } == true)
        #expect(try await Tool.run("store", "queue", copy).rows.count == 1)
        let bytes = try #require(FileManager.default.contents(atPath: copy + "/store.sqlite"))
        #expect(bytes.range(of: Data("secret words".utf8)) == nil)
        #expect(try await Tool.run("store", "send", scratch.store, copy).status == 1, "the folder is not empty")
        let file = try await Tool.run("store", "send", scratch.store, copy + "/store.sqlite")
        #expect(file.status == 1 && file.standardError.contains("is a file"), "\(file.standardError)")
        let wrong = try await Tool.run(
            "store", "send", scratch.store, scratch.folder + "/none", "--without", "Products/ProductID")
        #expect(wrong.status == 1 && !FileManager.default.fileExists(atPath: scratch.folder + "/none"))
    }

    @Test(arguments: ["mine", "theirs", "merge"])
    func aConflictIsListedAndDecided(choice: String) async throws {
        let scratch = try Scratch()
        let other = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        try await prepare(other, served.root)
        let product = "Products('P-0001')"
        for (store, category) in [(scratch.store, "mine"), (other.store, "theirs")] {
            let update = try await Tool.run("store", "update", store, product, #"{"Category":"\#(category)"}"#)
            #expect(update.status == 0)
        }
        #expect(try await Tool.run("store", "upload", other.store).status == 0)
        let refused = try await Tool.run("store", "upload", scratch.store)
        #expect(refused.status == 3 && refused.standardError.contains("'odata store conflicts mine|theirs"))
        #expect(!refused.standardError.contains("errors edit"))
        let conflict = try #require(try await Tool.run("store", "conflicts", scratch.store).rows.first)
        #expect(conflict["entity"] as? String == product && conflict["occasion"] as? String == "upload")
        for version in ["mine", "theirs"] {
            #expect((conflict[version] as? [String: Any])?["Category"] as? String == version)
        }
        let table = try await Tool.run("store", "conflicts", scratch.store, "--format", "csv").standardOutput
        #expect(table.contains(",Category=mine,Category=theirs,"), "\(table)")
        let status = try await Tool.run("store", "status", scratch.store, "--format", "csv").standardOutput
        #expect(status.contains("\nconflicts,1\r\n"), "\(status)")
        let open = try OfflineStore(folder: scratch.store, remote: nil)
        #expect(try await Tool.run("store", "conflicts", scratch.store).rows.count == 1, "beside another process")
        try open.close()
        let id = try #require(conflict["request"] as? Int)
        let merged = choice == "merge" ? [#"{"Category":"merge"}"#] : []
        let decided = try await Tool.run(["store", "conflicts", choice, scratch.store, "\(id)"] + merged)
        #expect(decided.status == 0, "\(decided.standardError)")
        #expect(try await Tool.run("store", "upload", scratch.store).status == 0)
        #expect(try await Tool.run("store", "conflicts", "list", scratch.store).rows.isEmpty)
        for json in [
            try await Tool.run("get", "\(served.root)\(product)", "--format", "json").json,
            try await Tool.run("store", "read", scratch.store, product).json,
        ] { #expect(json["Category"] as? String == choice) }
    }

    @Test func oneCategoryIsSentAlone() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let store = try OfflineStore(folder: scratch.store, remote: nil)
        for (key, category) in [("P-0001", "prices"), ("P-0002", "others")] {
            let path = try store.path("Products('\(key)')")
            let payload = try await store.payload(#"{"Price":1}"#, for: path)
            _ = try await store.change(
                ChangeRequest(path, .update(payload)), options: RequestOptions(category: category))
        }
        try store.close()
        let upload = try await Tool.run("store", "upload", scratch.store, "--category", "prices")
        #expect(upload.status == 0, "\(upload.standardError)")
        let left = try await Tool.run("store", "queue", scratch.store).rows
        #expect(left.map { $0["url"] as? String } == ["Products('P-0002')"])
    }

    @Test func whatAnotherCategoryCouldNotSendFirstIsListed() async throws {
        let scratch = try Scratch()
        let other = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        try await prepare(other, served.root)
        let store = try OfflineStore(folder: scratch.store, remote: nil)
        let path = try store.path("Products('P-0002')")
        for (text, category) in [(#"{"Price":1}"#, "others"), (#"{"Price":2}"#, "prices")] {
            let payload = try await store.payload(text, for: path)
            _ = try await store.change(
                ChangeRequest(path, .update(payload)), options: RequestOptions(category: category))
        }
        try store.close()
        let update = try await Tool.run("store", "update", other.store, path.url, #"{"Price":3}"#)
        #expect(update.status == 0)
        #expect(try await Tool.run("store", "upload", other.store).status == 0)
        let upload = try await Tool.run("store", "upload", scratch.store, "--category", "prices")
        #expect(upload.status == 3)
        #expect(upload.standardError.contains("error 1: 412"), "\(upload.standardError)")
    }

    @Test func clearingRefusesToLoseWhatWaits() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let update = try await Tool.run("store", "update", scratch.store, "Products('P-0001')", #"{"Price":1}"#)
        #expect(update.status == 0)
        let refused = try await Tool.run("store", "clear", scratch.store)
        #expect(refused.status == 1 && refused.standardError.contains("--force"))
        #expect(try await Tool.run("store", "queue", scratch.store).rows.count == 1)
        #expect(try await Tool.run("store", "query", "list", scratch.store).rows.count == 2)
        #expect(try await Tool.run("store", "clear", scratch.store, "--force").status == 0)
        #expect(try await Tool.run("store", "queue", scratch.store).rows.isEmpty)
        #expect(try await Tool.run("store", "query", "list", scratch.store).rows.isEmpty)
    }

    @Test func clearingRefusesToLoseEditsOfAttachments() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let queue = try DatabaseQueue(path: try OfflineStore.databasePath(in: scratch.store))
        try await queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO "$attachment" ("entity", "body")
                    SELECT 'Inspections(1)', json_object('edit', json_object('state', "value"))
                    FROM json_each('["original", "added", "updated", "markedForDeletion", "deletedFromServer"]')
                    """)
        }
        try queue.close()
        let refused = try await Tool.run("store", "clear", scratch.store)
        #expect(refused.status == 1 && refused.standardError.contains("3 attachments with edits"))
        #expect(try await Tool.run("store", "status", scratch.store).json["attachmentEdits"] as? Int == 3)
        #expect(try await Tool.run("store", "clear", scratch.store, "--force").status == 0)
        #expect(try await Tool.run("store", "clear", scratch.store).status == 0)
    }

    @Test func damageIsFoundAndTheQueueRescued() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        #expect(try await Tool.run("store", "query", "add", scratch.store, "photos", "Photos", "--streams").status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        // Small streams are no files.
        for photo in [9000, 9001] {
            let file = scratch.folder + "/large-\(photo)"
            try Data(repeating: UInt8(photo % 100), count: 100_000).write(to: URL(fileURLWithPath: file))
            let stream = "Photos(\(photo))"
            let put = try await Tool.run("store", "media", "put", scratch.store, stream, file, "--type", "image/png")
            #expect(put.status == 0, "\(put.standardError)")
        }
        #expect(try await Tool.run("store", "upload", scratch.store).status == 0)
        let update = try await Tool.run("store", "update", scratch.store, "Products('P-0001')", #"{"Price":1}"#)
        #expect(update.status == 0)
        let sound = try await Tool.run("store", "check", scratch.store)
        #expect(sound.status == 0 && sound.rows.isEmpty, "\(sound.standardError)")
        let media = scratch.store + "/media"
        let files = try FileManager.default.subpathsOfDirectory(atPath: media).filter { $0.count > 60 }.sorted()
        try #require(files.count > 1)
        try FileManager.default.removeItem(atPath: "\(media)/\(files[0])")
        var bytes = try #require(FileManager.default.contents(atPath: "\(media)/\(files[1])"))
        bytes[0] ^= 1
        try bytes.write(to: URL(fileURLWithPath: "\(media)/\(files[1])"))
        for (options, found) in [(["--lengths-only"], ["missing stream"]), ([], ["missing stream", "damaged stream"])] {
            let check = try await Tool.run(["store", "check", scratch.store] + options)
            #expect(check.status == 3)
            #expect(check.rows.compactMap { $0["what"] as? String } == found)
        }
        let rescued = try await Tool.run("store", "rescue", scratch.store).rows
        #expect(rescued.map { $0["url"] as? String } == ["Products('P-0001')"])
        #expect(rescued.map { $0["body"] as? String } == [#"{"Price":1}"#])
        try Data("no database".utf8).write(to: URL(fileURLWithPath: scratch.store + "/store.sqlite"))
        #expect(try await Tool.run("store", "rescue", scratch.store).status == 1)
    }

    @Test func howChangesAreFoundIsSaidPerQueryAndKept() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let added = try await Tool.run(
            "store", "query", "add", scratch.store, "partners", "BusinessPartners", "--refresh",
            "changedSince:CreatedAt:3", "--check-streams")
        #expect(added.status == 0, "\(added.standardError)")
        let ways = {
            let rows = try await Tool.run("store", "query", "list", scratch.store).rows
            return rows.map { "\($0["refresh"] as? String ?? "") \($0["checksStreams"] as? Bool ?? false)" }
        }
        #expect(try await ways() == ["automatic false", "automatic false", "changedSince:CreatedAt:3 true"])
        let download = try await Tool.run(
            "store", "download", scratch.store, "--refresh", "comparison", "--refresh", "work=delta",
            "--no-check-streams")
        #expect(download.status == 0, "\(download.standardError)")
        #expect(try await ways() == ["comparison false", "delta false", "comparison false"])
        let one = try await Tool.run(
            "store", "download", scratch.store, "work", "--refresh", "automatic", "--check-streams")
        #expect(one.status == 0)
        #expect(try await ways() == ["comparison false", "automatic true", "comparison false"])
        for (wrong, status) in [
            ("sometimes", 2), ("changedSince:", 2), ("none=delta", 1), ("products=changedSince:Nothing", 1),
        ] {
            #expect(try await Tool.run("store", "download", scratch.store, "--refresh", wrong).status == Int32(status))
        }
        #expect(try await ways() == ["comparison false", "automatic true", "comparison false"])
    }

    @Test func aWatchedQueryPrintsWhatOtherProcessesChange() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let url = "Products?$filter=Price lt 100000&$top=2&$orderby=ProductID&$select=Name"
        let watch = try RunningTool(["store", "read", scratch.store, url, "--watch"])
        let next = {
            let line = try #require(watch.nextLine())
            return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        for place in 0..<2 {
            let line = try next()
            #expect(line["change"] as? String == "added" && line["to"] as? Int == place)
        }
        let update = try await Tool.run("store", "update", scratch.store, "Products('P-0001')", #"{"Name":"new"}"#)
        #expect(update.status == 0)
        let changed = try next()
        #expect(changed["change"] as? String == "changed")
        #expect((changed["entity"] as? [String: Any])?["Name"] as? String == "new")
        #expect(try await Tool.run("store", "delete", scratch.store, "Products('P-0001')").status == 0)
        #expect(try next()["change"] as? String == "removed")
        #expect(try next()["change"] as? String == "added")
        watch.send(SIGINT)
        let output = await watch.finish()
        #expect(output.status == 0, "\(output.standardError)")
        #expect(try await Tool.run("store", "read", scratch.store, "Nothing", "--watch").status == 1)
        #expect(try await Tool.run("store", "read", scratch.store, url, "--watch", "--explain").status == 2)
    }
}
