import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

/// A service whose navigation properties have no referential constraints: albums and tags. It responds with the rows it
/// is given.
private final class AlbumService: ODataStore {
    struct Album {
        var id: Int64
        var title: String
        var tags: [Int64]
    }

    private let albums: Mutex<[Album]>
    private let sent = Mutex<[String]>([])
    let schema: EdmModel

    init(_ albums: [Album]) throws {
        self.albums = Mutex(albums)
        let name = { EdmQualifiedName(namespace: "A", name: $0) }
        schema = try EdmModel(schemas: [
            EdmSchema(
                namespace: "A",
                types: [
                    EdmStructuredTypeDeclaration(
                        name: name("Album"), key: ["ID"],
                        properties: [
                            EdmProperty(name: "ID", type: .int64, isNullable: false),
                            EdmProperty(name: "Title", type: .string),
                        ],
                        navigationProperties: [
                            EdmNavigationProperty(
                                name: "Tags", target: name("Tag"), isCollection: true, partner: "Albums")
                        ]),
                    EdmStructuredTypeDeclaration(
                        name: name("Tag"), key: ["ID"],
                        properties: [EdmProperty(name: "ID", type: .int64, isNullable: false)],
                        navigationProperties: [
                            EdmNavigationProperty(
                                name: "Albums", target: name("Album"), isCollection: true, partner: "Tags")
                        ]),
                ], container: "C",
                entitySets: [
                    EdmEntitySetDeclaration(name: "Albums", type: name("Album"), bindings: ["Tags": "Tags"]),
                    EdmEntitySetDeclaration(name: "Tags", type: name("Tag"), bindings: ["Albums": "Albums"]),
                ])
        ])
    }

    var requests: [String] { sent.withLock { $0 } }
    func set(_ albums: [Album]) { self.albums.withLock { $0 = albums } }

    func model() async throws -> EdmModel { schema }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        let shape = try RowShape.shape(of: request.query, model: schema)
        var block = RowBlock()
        var wanted: EdmValue?
        if case .key(let key)? = request.query.path.segments.last { wanted = key.values.first }
        for album in albums.withLock({ $0 }) where wanted == nil || wanted == .integer(album.id) {
            append([.integer(album.id), .string(album.title)], depth: 0, to: &block)
            for tag in album.tags where !shape.children.isEmpty { append([.integer(tag)], depth: 1, to: &block) }
        }
        return ReadResult(.entities(RowBlocks([block], shape: shape)))
    }

    private func append(_ values: [EdmValue], depth: UInt8, to block: inout RowBlock) {
        var header = RowHeader()
        header.depth = depth
        header.child = depth == 0 ? -1 : 0
        header.presentChildren = depth == 0 ? 1 : 0
        header.firstSlot = Int32(block.slots.count)
        for value in values { block.append(value) }
        block.rows.append(header)
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        sent.withLock { $0.append(request.target.url) }
        return ChangeResult(.updated)
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { [] }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { StreamResult(content: .empty) }
}

@Suite("Relations without constraints")
struct NavigationTests {
    private func opened() async throws -> (OfflineStore, AlbumService, TemporaryFolder) {
        let service = try AlbumService([
            .init(id: 1, title: "a", tags: [10, 11]), .init(id: 2, title: "b", tags: [11]),
        ])
        let folder = try TemporaryFolder()
        let store = try OfflineStore(folder: folder.path + "/store", remote: service)
        try await store.open()
        try store.addQuery(.init(name: "albums", query: "Albums?$expand=Tags"))
        try await store.download()
        return (store, service, folder)
    }

    private func ids(_ store: OfflineStore, _ url: String) async throws -> [EdmValue] {
        try await store.entities(try await store.query(url)).compactMap { $0["ID"] }
    }

    @Test("Links come with what is expanded, and lead both ways")
    func both() async throws {
        let (store, _, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await ids(store, "Albums(1)/Tags?$orderby=ID") == [.integer(10), .integer(11)])
        #expect(try await ids(store, "Tags(11)/Albums?$orderby=ID") == [.integer(1), .integer(2)])
        #expect(try await ids(store, "Albums?$filter=Tags/any(t:t/ID eq 10)") == [.integer(1)])
    }

    @Test("A refresh moves links and lets go what nothing leads to")
    func refresh() async throws {
        let (store, service, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        service.set([.init(id: 1, title: "a", tags: [11, 12]), .init(id: 3, title: "c", tags: [])])
        try await store.download()
        #expect(try await ids(store, "Albums?$orderby=ID") == [.integer(1), .integer(3)])
        #expect(try await ids(store, "Tags?$orderby=ID") == [.integer(11), .integer(12)])
        #expect(try await ids(store, "Albums(1)/Tags?$orderby=ID") == [.integer(11), .integer(12)])
        #expect(try await ids(store, "Tags(11)/Albums") == [.integer(1)])
    }

    @Test("Links are made and taken away here")
    func references() async throws {
        let (store, service, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        let tags = try store.path("Albums(2)/Tags/$ref")
        _ = try await store.change(ChangeRequest(tags, .addReference(.path(try store.path("Tags(10)")))))
        _ = try await store.change(ChangeRequest(tags, .removeReference(.path(try store.path("Tags(11)")))))
        #expect(try await ids(store, "Albums(2)/Tags") == [.integer(10)])
        #expect(try await store.queueEntries().map(\.method) == ["POST", "DELETE"])
        try await store.download()
        #expect(try await ids(store, "Albums(2)/Tags") == [.integer(10)])
        #expect(try await store.upload().isComplete)
        #expect(service.requests.count == 2)
        #expect(try await ids(store, "Albums(2)/Tags") == [.integer(10)])
    }
}
