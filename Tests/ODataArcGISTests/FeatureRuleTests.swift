import ArcGISTesting
import ByteStreams
import ODataAttachments
import ODataStores
import Synchronization
import Testing

@testable import ODataArcGIS

@Suite("What feature services return and refuse, and what becomes of the edits")
struct FeatureRuleTests {
    typealias Style = FeatureServerConfiguration.Style

    private static let edits = [
        FeatureServerOperation.applyEdits, .addAttachment, .updateAttachment, .deleteAttachments,
    ]

    /// Additions go as `operation` needs it.
    private static func open(
        _ style: Style, for operation: FeatureServerOperation, _ body: (FeatureSite) async throws -> Void
    ) async throws {
        try await FeatureSite.open(style) {
            $0.layers[0].supportsEditsByGlobalID = operation != .addAttachment
        } _: { site in
            try await body(site)
        }
    }

    /// One edit of each kind.
    private static func edit(_ photos: AttachmentManager) async throws {
        try await photos.fetchAttachments()
        try await photos.update(photos.attachments[0].id, content: ByteContent([9]))
        try await photos.markForDeletion(photos.attachments[1].id)
        try await photos.add(ByteContent([7]), FeatureSite.jpeg("new.jpg"))
    }

    private static let edited = ["1 gauge.jpg [9]", "3 new.jpg [7]"]

    @Test(
        "An edit that is refused in its row says why, keeps no other from going, and is posted the next time",
        arguments: FeatureSite.styles, edits)
    func refusedRow(style: Style, operation: FeatureServerOperation) async throws {
        try await Self.open(style, for: operation) { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            try await Self.edit(photos)
            let fault = FeatureServerFault(.refuseEdit(code: 1008, description: "Not this one."), on: operation)
            site.server.inject(fault)
            let failed = try await photos.postLocalEdits().filter { $0.error != nil }
            #expect(failed.map { $0.error?.message } == ["Not this one."])
            #expect(failed.map { $0.error?.service?.code } == ["1008"])
            #expect(failed.map { $0.error?.isOutcomeUnknown } == [false])
            #expect(photos.attachments.filter(\.hasLocalEdits).map(\.id) == failed.map(\.attachment.id))
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(Set(try await site.served()) == Set(Self.edited))
        }
    }

    @Test(
        "An error with HTTP status 200 is one of the edit, which was not made",
        arguments: FeatureSite.styles, edits)
    func errorInResponse(style: Style, operation: FeatureServerOperation) async throws {
        try await Self.open(style, for: operation) { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            try await Self.edit(photos)
            site.server.inject(FeatureServerFault(.error(code: 500, message: "Disk full."), on: operation))
            let failed = try await photos.postLocalEdits().filter { $0.error != nil }
            #expect(failed.map { $0.error?.message } == ["Disk full."])
            #expect(failed.map { $0.error?.code } == [.internalError])
            #expect(failed.map { $0.error?.status } == [200])
            #expect(photos.attachments.filter(\.isUnconfirmed).isEmpty)
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(Set(try await site.served()) == Set(Self.edited))
        }
    }

    @Test("A deletion that the service cannot find a path for is not done", arguments: FeatureSite.styles)
    func deletionNotFound(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            try await photos.fetchAttachments()
            try await photos.markForDeletion(photos.attachments[0].id)
            // The deletion itself; the look before it, and the one after that.
            for faults in [[FeatureServerOperation.deleteAttachments], [.queryAttachments, .queryAttachments]] {
                for operation in faults {
                    site.server.inject(FeatureServerFault(.error(code: 404, message: "No service."), on: operation))
                }
                #expect(try await photos.postLocalEdits().map { $0.error?.message } == ["No service."])
                #expect(FeatureSite.states(photos) == ["gauge.jpg markedForDeletion", "valve.jpg original"])
            }
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(try await site.served() == ["2 valve.jpg [2, 2]"])
            // Another client is first.
            try await photos.markForDeletion(photos.attachments[1].id)
            site.server.removeAttachments(of: 1)
            #expect(try await photos.postLocalEdits().map(\.attachment.editState) == [.deletedFromServer])
        }
    }

    @Test("An error in place of a list is that of the list; what was known stays", arguments: FeatureSite.styles)
    func errorOfList(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            for operation in [FeatureServerOperation.layer, .queryAttachments] {
                site.server.inject(FeatureServerFault(.error(code: 500, message: "Later."), on: operation))
                await #expect(throws: ODataError.self) { try await photos.fetchAttachments() }
                #expect(photos.status.listError?.message == "Later.")
            }
            try await photos.fetchAttachments()
            site.server.inject(FeatureServerFault(.page(status: 503), on: .queryAttachments))
            await #expect(throws: ODataError.self) { try await photos.fetchAttachments() }
            #expect(photos.status.listError?.status == 503)
            #expect(FeatureSite.states(photos) == ["gauge.jpg original", "valve.jpg original"])
        }
    }

    @Test(
        "An error in place of a file, as JSON or as a page for people, is not content of it",
        arguments: FeatureSite.styles, [true, false])
    func errorInPlaceOfFile(style: Style, isJSON: Bool) async throws {
        try await FeatureSite.open(style) {
            $0.alwaysSendsErrorsAsJSON = isJSON
        } _: { site in
            try site.attachPhotos()
            try site.server.attach([60, 62], named: "a.txt", contentType: "text/html", to: 1)
            let photos = try await site.owner().manager(for: "1")
            try await photos.fetchAttachments()
            // A page tells nothing: the reason is asked for.
            for _ in 1...(isJSON ? 1 : 2) {
                site.server.inject(FeatureServerFault(.error(code: 404, message: "No file."), on: .attachment))
            }
            #expect(await photos.fetchContents().map { $0.error?.message } == ["No file.", nil, nil])
            #expect(photos.status.errors.values.map(\.code) == [.notFound])
            #expect(photos.attachments.map(\.hasContent) == [false, true, true])
            try await photos.fetchContent(of: photos.attachments[0].id)
            #expect(try await photos.content(of: photos.attachments[0].id).collect(upTo: 10) == [1])
            #expect(try await photos.content(of: photos.attachments[2].id).collect(upTo: 10) == [60, 62])
        }
    }

    @Test("A file that breaks off goes on where it was", arguments: FeatureSite.styles)
    func brokenFile(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            let bytes = (0..<200).map { UInt8($0) }
            try site.server.attach(bytes, named: "a.jpg", contentType: "image/jpeg", to: 1)
            let photos = try await site.owner().manager(for: "1")
            try await photos.fetchAttachments()
            site.server.inject(FeatureServerFault(.cut(after: 50), on: .attachment))
            try await photos.fetchContent(of: photos.attachments[0].id)
            #expect(try await photos.content(of: photos.attachments[0].id).collect(upTo: 1000) == bytes)
            #expect(site.requests(.attachment).count == 2)
        }
    }

    @Test(
        "A token that is refused is replaced once, whatever it was refused for, and nothing is done twice",
        arguments: FeatureSite.styles,
        [FeatureServerOperation.layer, .queryAttachments, .attachment, .upload] + edits)
    func tokens(style: Style, operation: FeatureServerOperation) async throws {
        try await FeatureSite.open(style) { configuration in
            configuration.users = ["ann": "secret"]
            configuration.layers[0].supportsEditsByGlobalID = operation != .addAttachment
        } _: { site in
            try site.attachPhotos()
            let known = Mutex<String?>(nil)
            let refused = Mutex(0)
            let owner = try site.owner { configuration in
                configuration.tokens = { rejected in
                    if rejected != nil { refused.withLock { $0 += 1 } }
                    if let token = known.withLock({ $0 }), token != rejected { return token }
                    let token = site.server.newToken()
                    known.withLock { $0 = token }
                    return token
                }
            }
            let photos = try await owner.manager(for: "1")
            site.server.inject(FeatureServerFault(.forgetTokens, on: operation))
            try await Self.edit(photos)
            #expect(await photos.fetchContents().allSatisfy { $0.error == nil })
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message } == [])
            #expect(try await site.served() == Self.edited)
            #expect(refused.withLock { $0 } == 1)
        }
    }

    @Test("Without a token, and with one that stays refused, nothing is tried again", arguments: FeatureSite.styles)
    func noToken(style: Style) async throws {
        try await FeatureSite.open(style) {
            $0.users = ["ann": "secret"]
        } _: { site in
            for (token, code) in [(nil, "499"), ("stale", "498")] as [(String?, String)] {
                let backEnd = try site.backEnd { configuration in
                    if let token { configuration.tokens = { _ in token } }
                }
                let before = site.server.requests.count
                let error = await #expect(throws: ODataError.self) { try await backEnd.list(of: "1") }
                #expect(error?.code == .unauthorized && error?.service?.code == code)
                #expect(site.server.requests.count == before + 1)
            }
        }
    }

    @Test(
        "Adding needs Create or Update, changing needs Update: what the layer does not allow is not kept",
        arguments: FeatureSite.styles,
        [
            ([.query], false, false), ([.query, .create], true, false), ([.query, .update], true, true),
            ([.query, .delete], false, false),
        ] as [(Set<ArcGISTesting.FeatureLayer.Capability>, Bool, Bool)])
    func capabilities(
        style: Style, row: (Set<ArcGISTesting.FeatureLayer.Capability>, Bool, Bool)
    ) async throws {
        let (capabilities, allowsAdding, allowsChanging) = row
        try await FeatureSite.open(style) {
            $0.layers[0].capabilities = capabilities
        } _: { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            try await photos.fetchAttachments()
            let ids = photos.attachments.map(\.id)
            let codes = [
                await Self.code { try await photos.add(ByteContent([1]), FeatureSite.jpeg("a.jpg")) },
                await Self.code { try await photos.update(ids[0], content: ByteContent([1])) },
                await Self.code { try await photos.markForDeletion(ids[1]) },
            ]
            let wanted = [allowsAdding, allowsChanging, allowsChanging]
            let errors: [ODataError.Code?] = wanted.map { $0 ? nil : .forbidden }
            #expect(codes == errors)
            #expect(photos.attachments.filter(\.hasLocalEdits).count == wanted.filter { $0 }.count)
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message } == [])
        }
    }

    private static func code<Result>(_ edit: () async throws -> Result) async -> ODataError.Code? {
        do { _ = try await edit() } catch { return (error as? ODataError)?.code ?? .internalError }
        return nil
    }

    @Test("What the service allows no more is refused by it, and stays", arguments: FeatureSite.styles)
    func capabilitiesThatGo(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            try await Self.edit(photos)
            site.server.configureLayer { $0.capabilities = [.query] }
            let errors = try await photos.postLocalEdits().map { $0.error?.code }
            #expect(errors == [.forbidden, .forbidden, .forbidden])
            #expect(photos.attachments.filter(\.hasLocalEdits).count == 3)
            #expect(try await site.served() == ["1 gauge.jpg [1]", "2 valve.jpg [2, 2]"])
        }
    }

    @Test("Files of other types and sizes are refused before they are kept", arguments: FeatureSite.styles)
    func limits(style: Style) async throws {
        try await FeatureSite.open(style) {
            $0.maximalFileMegabytes = 1
        } _: { site in
            let photos = try await site.owner { $0.fileExtensions = ["jpg"] }.manager(for: "1")
            let codes = [
                await Self.code { try await photos.add(ByteContent([1]), FeatureSite.jpeg("tool.exe")) },
                await Self.code {
                    let bytes = [UInt8](repeating: 1, count: 1 << 20 + 1)
                    return try await photos.add(ByteContent(bytes), FeatureSite.jpeg("a.jpg"))
                },
            ]
            #expect(codes == [.unsupportedMediaType, .tooLarge])
            #expect(photos.attachments.isEmpty)
        }
    }

    @Test(
        "A type of file that only the service knows of is refused by it; the edit is mended and posted",
        arguments: FeatureSite.styles, [FeatureServerOperation.applyEdits, .addAttachment])
    func refusedType(style: Style, operation: FeatureServerOperation) async throws {
        try await Self.open(style, for: operation) { site in
            let photos = try await site.owner().manager(for: "1")
            let added = try await photos.add(ByteContent([1]), FeatureSite.jpeg("tool.exe"))
            let error = try await photos.postLocalEdits().first?.error
            #expect(error?.code == .badRequest && error?.message.contains("tool.exe") == true)
            try await photos.update(added.id, details: FeatureSite.jpeg("tool.jpg"))
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(try await site.served() == ["1 tool.jpg [1]"])
        }
    }
}
