import ArcGISTesting
import ByteStreams
import HTTPTypes
import ODataAttachments
import ODataStores
import Testing

@testable import ODataArcGIS

@Suite("Attachments of features, edited by managers and kept by a feature service")
struct FeatureAttachmentTests {
    typealias Style = FeatureServerConfiguration.Style

    /// What a layer can.
    enum Ability: CaseIterable {
        /// Additions have ids made here.
        case globalIDs
        /// Additions are forms.
        case forms
        /// Lists are those of single features, without global ids; there are no uploads.
        case least

        func set(_ configuration: inout FeatureServerConfiguration) {
            configuration.layers[0].supportsEditsByGlobalID = self == .globalIDs
            guard self == .least else { return }
            configuration.layers[0].hasGlobalIDs = false
            configuration.layers[0].supportsUploadIDs = false
            configuration.layers[0].supportsQueryAttachments = false
        }
    }

    @Test("Photos are listed, fetched, edited and posted", arguments: FeatureSite.styles, Ability.allCases)
    func wholeWay(style: Style, ability: Ability) async throws {
        try await FeatureSite.open(style) {
            ability.set(&$0)
        } _: { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            try await photos.fetchAttachments()
            #expect(FeatureSite.states(photos) == ["gauge.jpg original", "valve.jpg original"])
            #expect(await photos.fetchContents().allSatisfy { $0.error == nil })
            let (gauge, valve) = (photos.attachments[0].id, photos.attachments[1].id)
            #expect(try await photos.content(of: valve).collect(upTo: 10) == [2, 2])

            let added = try await photos.add(ByteContent([7, 8]), FeatureSite.jpeg("leak.jpg"))
            try await photos.update(gauge, content: ByteContent([9]), details: FeatureSite.jpeg("after.jpg"))
            try await photos.markForDeletion(valve)
            try await photos.unmarkForDeletion(valve)
            #expect(FeatureSite.states(photos) == ["after.jpg updated", "valve.jpg original", "leak.jpg added"])
            try await photos.markForDeletion(valve)
            #expect(try await site.served() == ["1 gauge.jpg [1]", "2 valve.jpg [2, 2]"])

            let results = try await photos.postLocalEdits()
            #expect(results.map { $0.error?.message } == [nil, nil, nil])
            #expect(results.map(\.attachment.editState) == [.original, .deletedFromServer, .original])
            #expect(try await site.served() == ["1 after.jpg [9]", "3 leak.jpg [7, 8]"])
            try await photos.fetchAttachments()
            #expect(FeatureSite.states(photos) == ["after.jpg original", "leak.jpg original"])
            #expect(photos.attachments.map(\.id) == [gauge, added.id], "an attachment keeps its id")
            #expect(photos.attachments.map(\.remoteID) == ["1", "3"])
            let additions = [FeatureServerOperation.applyEdits, .addAttachment].map { site.requests($0).count }
            #expect(additions == (ability == .globalIDs ? [1, 0] : [0, 1]))
        }
    }

    @Test("A name is that of a file", arguments: Ability.allCases)
    func fileName(ability: Ability) async throws {
        try await FeatureSite.open(FeatureSite.styles[0]) {
            ability.set(&$0)
        } _: { site in
            let photos = try await site.owner().manager(for: "1")
            try await photos.add(ByteContent([7]), FeatureSite.jpeg("../a\\le\u{7}ak.jpg"))
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(try await site.served() == ["1 leak.jpg [7]"])
        }
    }

    @Test("A new name alone leaves the content; keywords are kept", arguments: FeatureSite.styles)
    func details(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            try await photos.fetchAttachments()
            try await photos.update(photos.attachments[0].id, details: FeatureSite.jpeg("renamed.jpg"))
            let details = AttachmentDetails(name: "leak.jpg", contentType: "image/jpeg", keywords: ["front", "left"])
            try await photos.add(ByteContent([7]), details)
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil, nil])
            #expect(try await site.served() == ["1 renamed.jpg [1]", "2 valve.jpg [2, 2]", "3 leak.jpg [7]"])
            #expect(site.server.attachments(of: 1).map(\.keywords) == [nil, nil, "front,left"])
            try await photos.fetchAttachments()
            #expect(photos.attachments.map(\.keywords) == [[], [], ["front", "left"]])
        }
    }

    @Test("Keywords are replaced; what would take all of them away is refused", arguments: FeatureSite.styles)
    func noKeywords(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            try site.server.attach([1], named: "a.jpg", contentType: "image/jpeg", keywords: "front,left", to: 1)
            let photos = try await site.owner().manager(for: "1")
            let gauge = try #require(try await photos.fetchAttachments().first)
            var details = gauge.details
            details.keywords = []
            try await photos.update(gauge.id, content: ByteContent([2]), details: details)
            let error = try await photos.postLocalEdits().first?.error
            #expect(error?.code == .badRequest && error?.message.contains("keywords") == true)
            #expect(photos.attachments.map(\.editState) == [.updated] && !photos.attachments[0].isUnconfirmed)
            #expect(site.requests(.updateAttachment).isEmpty)
            details.keywords = ["back"]
            try await photos.update(gauge.id, details: details)
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(try await site.served() == ["1 a.jpg [2]"])
            #expect(site.server.attachments(of: 1).map(\.keywords) == ["back"])
        }
    }

    @Test(
        "An edit whose response was lost is found by the process that comes next, and not done twice",
        arguments: FeatureSite.styles,
        [FeatureServerOperation.applyEdits, .addAttachment, .updateAttachment, .deleteAttachments])
    func lostResponses(style: Style, operation: FeatureServerOperation) async throws {
        for listsFirst in [false, true] {
            let ability = operation == .addAttachment ? Ability.forms : .globalIDs
            try await FeatureSite.open(style) {
                ability.set(&$0)
            } _: { site in
                try await Self.lose(operation, at: site, listsFirst: listsFirst)
            }
        }
    }

    private static func lose(
        _ operation: FeatureServerOperation, at site: FeatureSite, listsFirst: Bool
    ) async throws {
        try site.attachPhotos()
        let photos = try await site.owner().manager(for: "1")
        try await photos.fetchAttachments()
        try await photos.update(photos.attachments[0].id, content: ByteContent([9]))
        try await photos.markForDeletion(photos.attachments[1].id)
        // The same content twice: each is one photo.
        try await photos.add(ByteContent([7]), FeatureSite.jpeg("new.jpg"))
        try await photos.add(ByteContent([7]), FeatureSite.jpeg("new too.jpg"))
        site.server.inject(FeatureServerFault(.loseResponse, on: operation))
        let unknown = try await photos.postLocalEdits().filter { $0.error?.isOutcomeUnknown == true }
        try #require(unknown.count == 1)
        #expect(photos.attachments.filter(\.isUnconfirmed).map(\.id) == unknown.map(\.attachment.id))
        try site.copy("journal", to: "next")

        let next = try await site.owner("next").manager(for: "1")
        if listsFirst { try await next.fetchAttachments() }
        #expect(try await next.postLocalEdits().compactMap { $0.error?.message } == [])
        #expect(!next.hasLocalEdits && !next.attachments.contains(where: \.isUnconfirmed))
        #expect(try await site.served() == ["1 gauge.jpg [9]", "3 new.jpg [7]", "4 new too.jpg [7]"])
        try await next.fetchAttachments()
        #expect(next.attachments.map(\.name) == ["gauge.jpg", "new.jpg", "new too.jpg"])
    }

    @Test("An addition that the service has by its id is not added again, whoever asks", arguments: FeatureSite.styles)
    func sameID(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            let backEnd = try site.backEnd()
            let draft = AttachmentDraft(
                details: FeatureSite.jpeg("a.jpg"), content: ByteContent([1]),
                key: "55E85F98-FBDD-4129-9F0B-848DD40BD911")
            let first = try await backEnd.add(draft, to: "1").attachment
            let second = try await backEnd.add(draft, to: "1").attachment
            #expect(first == second && first.key == draft.key)
            #expect(try await site.served() == ["1 a.jpg [1]"])
        }
    }

    @Test("What others have changed or deleted is not touched", arguments: FeatureSite.styles)
    func others(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            try site.attachPhotos()
            let photos = try await site.owner().manager(for: "1")
            try await photos.fetchAttachments()
            let other = try await site.owner("other").manager(for: "1")
            try await other.fetchAttachments()
            try await other.update(other.attachments[0].id, details: FeatureSite.jpeg("theirs.jpg"))
            try await other.markForDeletion(other.attachments[1].id)
            #expect(try await other.postLocalEdits().compactMap { $0.error?.message } == [])
            try await photos.update(photos.attachments[0].id, content: ByteContent([9]))
            try await photos.update(photos.attachments[1].id, content: ByteContent([9]))
            let errors = try await photos.postLocalEdits().map { $0.error?.code }
            #expect(errors == [.preconditionFailed, .notFound])
            #expect(try await site.served() == ["1 theirs.jpg [1]"])
        }
    }

    @Test("A feature that is not there has no attachments, and takes none", arguments: FeatureSite.styles)
    func noFeature(style: Style) async throws {
        try await FeatureSite.open(style) { site in
            let photos = try await site.owner().manager(for: "99")
            #expect(try await photos.fetchAttachments().isEmpty)
            try await photos.add(ByteContent([1]), FeatureSite.jpeg("a.jpg"))
            let error = try await photos.postLocalEdits().first?.error
            #expect(error?.code == .notFound && error?.message == "Feature 99 not found.")
            #expect(FeatureSite.states(photos) == ["a.jpg added"])
        }
    }

    @Test("A list that comes in pages is read to its end", arguments: FeatureSite.styles)
    func pages(style: Style) async throws {
        try await FeatureSite.open(style) {
            $0.recordLimit = 2
        } _: { site in
            for feature in [1, 1, 1, 2, 3] as [Int64] {
                try site.server.attach([1], named: "a.jpg", contentType: "image/jpeg", to: feature)
            }
            let lists = try await site.backEnd().lists(of: ["1", "2", "3"])
            #expect(lists.mapValues { $0.map(\.id) } == ["1": ["1", "2", "3"], "2": ["4"], "3": ["5"]])
            #expect(site.requests(.queryAttachments).map { $0.parameters["resultOffset"] } == [nil, "2", "4"])
        }
    }

    @Test("The lists of many features are one request, which is a form where its URL would be too long")
    func longLists() async throws {
        try await FeatureSite.open(.hosted) { site in
            try site.attachPhotos()
            let few = try await site.backEnd().lists(of: ["1", "2"])
            #expect(few["1"]?.map(\.id) == ["1", "2"] && few["2"] == [])
            let ids = (1...1000).map { "\($0)" }
            let many = try await site.backEnd().lists(of: ids)
            #expect(many.count == 1000 && many["1"] == few["1"])
            let heads = site.requests(.queryAttachments).map(\.head)
            #expect(heads.map(\.method) == [.get, .post])
            #expect(heads.last?.path?.contains("?") == false)
            let error = await #expect(throws: ODataError.self) {
                try await site.backEnd { $0.longestURL = 100_000 }.lists(of: ids)
            }
            #expect(error?.status == 404)
        }
    }
}
