import Foundation
import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@Suite struct ResponseCacheTests {
    /// A store with a cache in a folder.
    private struct Cached {
        let service: ScriptedService
        let store: OnlineStore
        let cache: ResponseCache

        init(
            _ folder: String, user: String = "", maxBytes: Int64 = 1 << 20, headers: [HeaderField] = [],
            knowsModel: Bool = true, middleware: [any HTTPMiddleware] = [], _ responses: [ScriptedService.Response]
        ) throws {
            var configuration = OnlineStore.Configuration()
            configuration.middleware = middleware
            if knowsModel { configuration.model = try CSDL.read(xml: Array(Shop.metadata.utf8)).model }
            configuration.headers = headers
            cache = try ResponseCache(folder: folder, maxBytes: maxBytes, user: user)
            configuration.responseCache = cache
            service = ScriptedService(responses)
            store = try OnlineStore(serviceRoot: "http://h/root", transport: service, configuration: configuration)
        }

        func request(_ url: String) async throws -> ReadRequest {
            ReadRequest(try QueryParser(model: try CSDL.read(xml: Array(Shop.metadata.utf8)).model).query(url))
        }

        /// `cache Tea`, `service confirmed Tea`, `error notInCache`
        func results(_ url: String, _ mode: OnlineStore.CacheMode = .active) async throws -> [String] {
            var found: [String] = []
            do {
                for try await response in store.results(of: try await request(url), mode: mode) {
                    let names = try await Self.names(response.result)
                    found.append("\(response.source)\(response.isConfirmed ? " confirmed" : "") \(names)")
                }
            } catch let error as ODataError {
                found.append("error \(error.code.name)")
            }
            return found
        }

        static func names(_ result: ReadResult) async throws -> String {
            switch result.body {
            case .count(let count): return "\(count)"
            case .entities(let reader):
                var names: [String] = []
                while let block = try await reader.next() {
                    for entity in EntityAssembler(shape: reader.shape).entities(in: block) {
                        if case .string(let name) = entity["Name"] { names.append(name) }
                    }
                }
                return names.joined(separator: ",")
            default: return "\(result.body)"
            }
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private static func page(_ name: String, _ headers: [String: String] = [:]) -> ScriptedService.Response {
        .json(#"{"value":[{"ID":1,"Name":"\#(name)"}]}"#, headers)
    }

    @Test func anAppSeesWhatItKnowsAndThenWhatIsTrue() async throws {
        try await withFolder { folder in
            let first = try Cached(folder, [Self.page("Tea", ["ETag": "\"1\""]), .response(304), Self.page("Rum")])
            #expect(try await first.results("Products") == ["service Tea"])
            #expect(try await first.results("Products") == ["cache Tea", "service confirmed Tea"])
            #expect(try await first.results("Products") == ["cache Tea", "service Rum"])
            #expect(first.service.sent.map { $0.field("If-None-Match") } == [nil, "\"1\"", "\"1\""])
            let next = try Cached(folder, [.failure(.unreachable)])
            #expect(try await next.results("Products") == ["cache Rum", "error unreachable"])
            #expect(try await next.results("Products", .passive) == ["cache Rum"])
            #expect(next.service.sent.map { $0.field("If-None-Match") } == [nil])
        }
    }

    @Test func aMissIsAnErrorWhereTheServiceIsNotAsked() async throws {
        try await withFolder { folder in
            let cached = try Cached(folder, [Self.page("Tea")])
            #expect(try await cached.results("Products", .passive) == ["error notInCache"])
            #expect(cached.service.sent.isEmpty)
            let error = await #expect(throws: ODataError.self) {
                for try await _ in cached.store.results(of: try await cached.request("Products"), mode: .passive) {}
            }
            #expect(error?.request == "GET http://h/root/Products")
        }
    }

    @Test func aPlainReadFillsTheCacheAndAsksWhetherItHolds() async throws {
        try await withFolder { folder in
            let cached = try Cached(folder, [Self.page("Tea", ["ETag": "\"1\""]), .response(304), .response(304)])
            for _ in 0..<2 {
                let result = try await cached.store.read(try await cached.request("Products"))
                #expect(try await Cached.names(result) == "Tea")
            }
            var conditional = try await cached.request("Products")
            conditional.ifNoneMatch = "\"1\""
            guard case .notModified = try await cached.store.read(conditional).body else { throw Unexpected() }
        }
    }

    @Test func responsesBelongToURLUserAndVaryingHeaders() async throws {
        try await withFolder { folder in
            let german = [HeaderField(name: "Accept-Language", value: "de")]
            let cached = try Cached(
                folder, user: "a", headers: german,
                [Self.page("Tee", ["Vary": "Accept-Language, Accept"]), .response(200, [:], "17")])
            #expect(try await cached.results("Products") == ["service Tee"])
            #expect(try await cached.results("Products/$count") == ["service 17"])
            #expect(try await cached.results("Products?$top=1", .passive) == ["error notInCache"])
            let others = [
                (try Cached(folder, user: "a", headers: german, []), ["cache Tee"]),
                (try Cached(folder, user: "b", headers: german, []), ["error notInCache"]),
                (try Cached(folder, user: "a", []), ["error notInCache"]),
            ]
            for (other, expected) in others { #expect(try await other.results("Products", .passive) == expected) }
            #expect(try await others[2].0.results("Products/$count", .passive) == ["cache 17"])
        }
    }

    /// What a middleware adds is not known when a response is looked for.
    @Test(arguments: [("Accept-Language", "error notInCache"), ("Authorization", "cache Tea"), ("Prefer", "cache Tea")])
    func responsesThatVaryByHeadersOfMiddlewareAreNotStored(name: String, expected: String) async throws {
        try await withFolder { folder in
            let middleware: [any HTTPMiddleware] = [
                HeaderMiddleware([.acceptLanguage: "de"]), BasicAuthentication(user: "a", password: "b"),
            ]
            let page = Self.page("Tea", ["Vary": "OData-MaxVersion, \(name)"])
            let cached = try Cached(folder, middleware: middleware, [page])
            #expect(try await cached.results("Products") == ["service Tea"])
            #expect(try await cached.results("Products", .passive) == [expected])
        }
    }

    @Test func withoutACacheNothingComesFromIt() async throws {
        let shop = try Shop(Self.page("Tea"))
        let request = ReadRequest(try shop.parser.query("Products"))
        let error = await #expect(throws: ODataError.self) {
            for try await _ in shop.store.results(of: request, mode: .passive) {}
        }
        #expect(error?.code == .notInCache)
        #expect(shop.service.sent.isEmpty)
        var sources: [OnlineStore.SourcedResult.Source] = []
        for try await response in shop.store.results(of: request) { sources.append(response.source) }
        #expect(sources == [.service])
    }

    @Test(arguments: [
        page("Tea", ["Cache-Control": "private, no-store"]), page("Tea", ["Vary": "*"]),
        .broken(200, ["Content-Type": "application/json"], #"{"value":[{"ID":1,"Name":"Tea"}"#, .truncated),
        .response(500, ["Content-Type": "application/json"], "{}"),
    ])
    func whatMustNotBeKeptIsNot(response: ScriptedService.Response) async throws {
        try await withFolder { folder in
            let cached = try Cached(folder, [response])
            _ = try? await cached.results("Products")
            #expect(try await cached.results("Products", .passive) == ["error notInCache"])
            #expect(cached.cache.size == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func deltasMediaAndChangesPassItBy() async throws {
        try await withFolder { folder in
            let cached = try Cached(
                folder,
                [
                    Self.page("Tea"), Self.page("Tea"), .response(200, ["Content-Type": "image/png"], "abc"),
                    .response(200, ["Content-Type": "application/json", "OData-Version": "4.0"], #"{"ID":1}"#),
                ])
            var request = try await cached.request("Products")
            request.tracksChanges = true
            _ = try await Cached.names(try await cached.store.read(request))
            request = try await cached.request("Products")
            request.continuation = "http://h/root/Products?$deltatoken=1"
            _ = try await Cached.names(try await cached.store.read(request))
            let parser = QueryParser(model: try await cached.store.model())
            let stream = try await cached.store.readStream(StreamRequest(try parser.path("Photos(1)")))
            _ = try await stream.content.collect(upTo: 10)
            _ = try await cached.store.change(ChangeRequest(try parser.path("Products"), .create(EntityPayload())))
            #expect(cached.cache.size == 0)
        }
    }

    @Test func aChangeMakesWhatIsKeptOfItsURLVoid() async throws {
        try await withFolder { folder in
            let cached = try Cached(folder, [.json(#"{"ID":1,"Name":"Tea"}"#), Self.page("Tea"), .response(204)])
            #expect(try await cached.results("Products(1)") == ["service Tea"])
            #expect(try await cached.results("Products") == ["service Tea"])
            let parser = QueryParser(model: try await cached.store.model())
            _ = try await cached.store.change(ChangeRequest(try parser.path("Products(1)"), .delete))
            #expect(try await cached.results("Products(1)", .passive) == ["error notInCache"])
            #expect(try await cached.results("Products", .passive) == ["cache Tea"])
        }
    }

    @Test(arguments: [1, 2])
    func aBatchMakesWhatIsKeptOfItsURLsVoid(sets: Int) async throws {
        try await withFolder { folder in
            let cached = try Cached(folder, [.json(#"{"ID":1,"Name":"Tea"}"#), Self.page("Tea"), .response(200)])
            #expect(try await cached.results("Products(1)") == ["service Tea"])
            #expect(try await cached.results("Products") == ["service Tea"])
            let parser = QueryParser(model: try await cached.store.model())
            let requests = try [1, 2].map { ChangeRequest(try parser.path("Products(\($0))"), .delete) }
            _ = await cached.store.batch(sets == 1 ? [requests] : requests.map { [$0] })
            #expect(try await cached.results("Products(1)", .passive) == ["error notInCache"])
            #expect(try await cached.results("Products", .passive) == ["cache Tea"])
        }
    }

    @Test func theLeastUsedGoWhereThereAreTooMany() async throws {
        try await withFolder { folder in
            let long = String(repeating: "x", count: 600)
            let pages = (1...4).map { Self.page("\($0)\(long)") }
            let cached = try Cached(folder, maxBytes: 3000, pages + [Self.page(String(repeating: "y", count: 4000))])
            for top in 1...3 { _ = try await cached.results("Products?$top=\(top)") }
            _ = try await cached.results("Products?$top=1", .passive)
            _ = try await cached.results("Products?$top=4")
            #expect(try await cached.results("Products?$top=2", .passive) == ["error notInCache"])
            for top in [1, 3, 4] {
                #expect(try await cached.results("Products?$top=\(top)", .passive).first?.hasPrefix("cache") == true)
            }
            _ = try await cached.results("Products?$top=5")
            #expect(try await cached.results("Products?$top=5", .passive) == ["error notInCache"])
            #expect(cached.cache.size <= 3000)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.count == 3)
        }
    }

    @Test func aResponseThatIsUsedOftenStays() async throws {
        try await withFolder { folder in
            let pages = (1...4).map { Self.page("\($0)\(String(repeating: "x", count: 600))") }
            let cached = try Cached(folder, maxBytes: 3000, pages)
            for top in 1...3 { _ = try await cached.results("Products?$top=\(top)") }
            for _ in 1...100 { _ = try await cached.results("Products?$top=1", .passive) }
            _ = try await cached.results("Products?$top=2", .passive)
            _ = try await cached.results("Products?$top=4")
            for (top, isKept) in [(1, true), (2, true), (3, false), (4, true)] {
                let found = try await cached.results("Products?$top=\(top)", .passive)
                #expect((found != ["error notInCache"]) == isKept, "\(top)")
            }
        }
    }

    @Test func filesThatAreNotWholeAreNotUsed() async throws {
        try await withFolder { folder in
            let cached = try Cached(folder, [Self.page("Tea")])
            _ = try await cached.results("Products")
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            let path = folder + "/" + name
            let data = try #require(FileManager.default.contents(atPath: path))
            try data.dropLast(3).write(to: URL(fileURLWithPath: path))
            try Data().write(to: URL(fileURLWithPath: folder + "/left.part"))
            try Data([1]).write(to: URL(fileURLWithPath: folder + "/other"))
            #expect(try await cached.results("Products", .passive) == ["error notInCache"])
            let next = try Cached(folder, [])
            #expect(try await next.results("Products", .passive) == ["error notInCache"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["other"])
        }
    }

    @Test func theMetadataAreKeptToo() async throws {
        try await withFolder { folder in
            let metadata = ScriptedService.Response.response(
                200, ["Content-Type": "application/xml", "ETag": "\"m\""], Shop.metadata)
            let cached = try Cached(folder, knowsModel: false, [metadata, Self.page("Tea")])
            #expect(try await cached.results("Products") == ["service Tea"])
            let passive = try Cached(folder, knowsModel: false, [])
            #expect(try await passive.results("Products", .passive) == ["cache Tea"])
            #expect(passive.service.sent.isEmpty)
            let cut = try Cached(folder, knowsModel: false, [.failure(.unreachable), .failure(.unreachable)])
            #expect(try await cut.store.model().entitySet(named: "Products") != nil)
            let next = try Cached(folder, knowsModel: false, [.response(304)])
            #expect(try await next.store.model().entitySet(named: "Products") != nil)
            #expect(next.service.sent.map { $0.field("If-None-Match") } == ["\"m\""])
            next.cache.removeAll()
            #expect(next.cache.size == 0)
        }
    }

    /// The model that an app without a network starts with is the one that it saw last.
    @Test func metadataThatWereRenewedAreKept() async throws {
        try await withFolder { folder in
            let old = ScriptedService.Response.response(
                200, ["Content-Type": "application/xml", "ETag": "\"1\""],
                Shop.metadata.replacingOccurrences(of: "EntitySet Name=\"Photos\"", with: "EntitySet Name=\"Old\""))
            let new = ScriptedService.Response.response(
                200, ["Content-Type": "application/xml", "ETag": "\"2\""], Shop.metadata)
            let cached = try Cached(folder, knowsModel: false, [old, new, .failure(.unreachable)])
            #expect(try await cached.store.model().entitySet(named: "Photos") == nil)
            #expect(try await cached.store.currentModel().entitySet(named: "Photos") != nil)
            await #expect(throws: ODataError.self) { try await cached.store.currentModel() }
            let next = try Cached(folder, knowsModel: false, [.failure(.unreachable), .failure(.unreachable)])
            await #expect(throws: ODataError.self) { try await next.store.currentModel() }
            #expect(try await next.store.model().entitySet(named: "Photos") != nil)
        }
    }

    @Test func aFolderThatCannotBeUsedIsAnError() throws {
        let error = #expect(throws: ODataError.self) { try ResponseCache(folder: "/dev/null/cache") }
        #expect(error?.code == .storage)
    }
}
