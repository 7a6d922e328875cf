import Foundation
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("What the tool says of a store", .timeLimit(.minutes(5)))
struct StoreMessageTests {
    /// A store with work orders, inspections and photos, whose service has ended.
    private func prepare(_ scratch: borrowing Scratch) async throws -> String {
        let served = try ServedSample(try scratch.sample())
        #expect(try await Tool.run("store", "init", scratch.store, "--service", served.root).status == 0)
        for set in ["Products", "SalesOrderItems", "Inspections", "WorkOrders"] {
            #expect(try await Tool.run("store", "query", "add", scratch.store, set, set).status == 0)
        }
        #expect(try await Tool.run("store", "query", "add", scratch.store, "p", "Photos", "--streams").status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        let root = served.root
        #expect(await served.stop().status == 0)
        return root
    }

    private static let mistakes: [(url: String, lines: [String])] = [
        ("Products(P-0001)", ["A key that is text is written in single quotes: Products('…')"]),
        (#"Products("P-0001")"#, ["Text is written in single quotes: 'a'; a single quote in it is doubled."]),
        ("SalesOrderItems(1,2)", ["A key of several properties names them: SalesOrderItems(First=1,Second=2)"]),
        ("WorkOrders?$filter=Title = 'x'", ["OData writes eq for =, with a space on each side: Name eq 'a'"]),
        ("WorkOrders?$filter=Priority >= 1", ["OData writes ge for >=, with a space on each side: Name ge 'a'"]),
        ("WorkOrders?=Priority eq 1", ["Put the URL in single quotes, so that the shell leaves $ and spaces alone."]),
        ("WorkOrders?$top=x", ["  WorkOrders?$top=x", "                  ^"]),
        ("Produts", ["  Produts", "  ^"]),
    ]

    @Test("What is wrong in a URL is explained, or its place is shown")
    func mistakes() async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        for (url, lines) in Self.mistakes {
            let output = try await Tool.run("store", "read", scratch.store, url)
            #expect(output.status == 1)
            let told = output.standardError.split(separator: "\n").dropFirst().map(String.init)
            #expect(told == lines, "\(url): \(output.standardError)")
        }
        let unknown = try await Tool.run("store", "read", scratch.store, "WorkOrders?$select=Nope")
        #expect(unknown.standardError.contains("odata store read \(scratch.store) '$metadata' shows"))
    }

    @Test("A URL of the store's own service is one of the store")
    func ownService() async throws {
        let scratch = try Scratch()
        let root = try await prepare(scratch)
        let photo = try await Tool.run("store", "read", scratch.store, root + "Photos(9000)")
        #expect(photo.json["PhotoID"] as? Int == 9000, "\(photo.standardError)")
        let metadata = try await Tool.run("store", "read", scratch.store, root + "$metadata")
        #expect(metadata.standardOutput.hasPrefix("<?xml"), "\(metadata.standardError)")
    }

    @Test("What there is none of is said in words")
    func nothing() async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        let cases: [([String], String)] = [
            (["check"], "The store is sound.\n"), (["errors"], "No errors.\n"), (["queue"], "No requests wait.\n"),
            (["conflicts"], "No conflicts.\n"), (["undo", "--all"], "Nothing to undo.\n"),
        ]
        for (words, line) in cases {
            let arguments = ["store", words[0], scratch.store] + words.dropFirst() + ["--format", "table"]
            let output = try await Tool.run(arguments)
            #expect(output.status == 0 && output.standardError == line, "\(words): \(output.standardError)")
        }
    }

    @Test("A request that never was is not said to be over")
    func undoOfNothing() async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        let never = try await Tool.run("store", "undo", scratch.store, "99")
        #expect(never.standardError == "error: There is no request 99 in the queue.\n")
        #expect(try await Tool.run("store", "delete", scratch.store, "Photos(9001)").status == 0)
        let id = try await Tool.run("store", "undo", scratch.store, "--all").rows.first?["id"] as? Int
        let gone = try await Tool.run("store", "undo", scratch.store, "\(try #require(id))")
        #expect(gone.standardError.contains("it was executed or undone meanwhile"), "\(gone.standardError)")
    }

    @Test("Clearing says what went")
    func clearing() async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        let cleared = try await Tool.run("store", "clear", scratch.store)
        #expect(cleared.status == 0)
        #expect(cleared.standardError.hasPrefix("\(scratch.store) is empty: 5 queries, "), "\(cleared.standardError)")
        #expect(cleared.standardError.contains(" entities, 6 streams were removed."))
    }

    @Test("What cannot be attached to is refused at once")
    func attachments() async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        let file = try scratch.write("x", "v.png")
        let photo = try await Tool.run("attachments", "add", scratch.store, "Photos(9000)", file)
        #expect(photo.status == 1)
        #expect(photo.standardError.contains("Photos has no stream properties"), "\(photo.standardError)")
        let order = try await Tool.run("attachments", "add", scratch.store, "WorkOrders(5000)", file)
        #expect(order.standardError.contains("Give --navigation with what they are behind: Inspections."))
        let missing = try await Tool.run("attachments", "add", scratch.store, "Inspections(99999)", file)
        #expect(missing.status == 1)
        #expect(missing.standardError.contains("Inspections(99999) is not in the store"), "\(missing.standardError)")
        #expect(try await Tool.run("attachments", "list", scratch.store, "Inspections(99999)").rows.isEmpty)
    }

    @Test("A dash is standard input, or standard output")
    func dashes() async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        let (store, photo) = (scratch.store, "Photos(9000)")
        let untyped = try await Tool.run("store", "media", "put", store, photo, "-", input: "picture")
        #expect(untyped.status == 2 && untyped.standardError.contains("Give --type"), "\(untyped.standardError)")
        let put = ["store", "media", "put", store, photo, "-", "--type", "image/png"]
        #expect(try await Tool.run(put, input: "picture").status == 0)
        let got = try await Tool.run("store", "media", "get", store, photo, "--output", "-")
        #expect(got.status == 0 && got.standardOutput == "picture", "\(got.standardError)")
        let caption = try await Tool.run("store", "update", store, photo, "-", input: "{\"Caption\":\n\"Valve\"}\n")
        #expect(caption.status == 0, "\(caption.standardError)")
        #expect(try await Tool.run("store", "read", store, photo).json["Caption"] as? String == "Valve")
        let add = ["attachments", "add", store, "Inspections(7000)", "-", "--type", "image/png"]
        #expect(try await Tool.run(add, input: "x").status == 2)
        let added = try await Tool.run(add + ["--name", "v.png"], input: "attached")
        let id = try AttachmentTool.id(of: added)
        let content = try await Tool.run("attachments", "get", store, "Inspections(7000)", id, "--output", "-")
        #expect(content.standardOutput == "attached", "\(content.standardError)")
    }

    @Test("The media type of a file is that of its ending", arguments: [("v.png", 0), ("v.JPG", 0), ("v.valve", 2)])
    func mediaTypes(name: String, status: Int32) async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        let file = try scratch.write("x", name)
        let output = try await Tool.run("store", "media", "create", scratch.store, "Photos", file)
        #expect(output.status == status, "\(output.standardError)")
        if status == 2 { #expect(output.standardError.contains("does not report its media type")) }
    }

    @Test("A place that cannot be written is named, with the reason and nothing else")
    func places() async throws {
        let scratch = try Scratch()
        let root = try await prepare(scratch)
        let file = try scratch.write("x", "file")
        let cases: [([String], String)] = [
            (["store", "init", file + "/x", "--service", root], "\(file)/x cannot be made: Not a directory."),
            (["store", "send", scratch.store, file + "/x"], "\(file)/x: Not a directory."),
            (["store", "status", file], "\(file) is a file, not the folder of a store."),
            (
                ["store", "media", "get", scratch.store, "Photos(9000)", "--output", file + "/v.png"],
                "\(file)/v.png: Not a directory."
            ),
        ]
        for (arguments, words) in cases {
            let output = try await Tool.run(arguments)
            #expect(output.status == 1)
            #expect(output.standardError.hasSuffix("\(words)\n"), "\(output.standardError)")
        }
        let read = try await Tool.run("store", "read", scratch.store, "$metadata")
        let metadata = try scratch.write(read.standardOutput, "metadata.xml")
        let generated = try await Tool.run("generate", metadata, "--output", file + "/gen")
        #expect(
            generated.status == 1
                && generated.standardError == "error: The folder \(file)/gen cannot be written: Not a directory.\n")
    }

    @Test("A reader that has seen enough ends a read quietly")
    func closedPipe() async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        // More than a pipe holds, so that the tool still writes when nobody reads any more.
        let script = "{ \"$0\" store read \"$1\" \"$2\" --format csv; echo $? >&2; } | head -n 1"
        let values = (0..<200).map { "'\($0)' as A\($0)" }
        let query = "WorkOrders?$select=WorkOrderID&$compute=" + values.joined(separator: ",")
        let output = try await Tool.run(["-c", script, try Tool.path(), scratch.store, query], of: "/bin/sh")
        #expect(output.standardError == "0\n", "\(output.standardError)")
    }

    @Test("A request, and an error, is shown whole")
    func wholeEntries() async throws {
        let scratch = try Scratch()
        _ = try await prepare(scratch)
        let json = #"{"Caption":"Valve"}"#
        #expect(try await Tool.run("store", "update", scratch.store, "Photos(9000)", json).status == 0)
        let id = "\(try #require(try await Tool.run("store", "queue", scratch.store).rows.first?["id"] as? Int))"
        let shown = try await Tool.run("store", "queue", "show", scratch.store, id, "--format", "table")
        #expect(shown.standardOutput.contains("url: Photos(9000)\n"), "\(shown)")
        #expect(shown.standardOutput.contains("body: \(json)\n"), "\(shown)")
        let object = try await Tool.run("store", "queue", "show", scratch.store, id)
        #expect(object.json["body"] as? String == json)
        let none = try await Tool.run("store", "errors", "show", scratch.store, "7")
        #expect(none.status == 1 && none.standardError.hasPrefix("error: There is no error 7.\n"))
    }
}
