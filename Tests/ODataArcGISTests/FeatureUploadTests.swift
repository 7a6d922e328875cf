import ArcGISTesting
import ByteStreams
import ODataAttachments
import ODataStores
import Testing

@testable import ODataArcGIS

@Suite("Content of attachments that goes to a feature service in parts")
struct FeatureUploadTests {
    typealias Style = FeatureServerConfiguration.Style

    /// What goes wrong on the way, and what that costs.
    struct Trouble: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: FeatureServerFault?
        /// How many uploads there are, and how many parts.
        var cost: [Int]
        /// Whether it needs a second posting.
        var isPostedAgain = false
    }

    private static let troubles = [
        Trouble(testDescription: "none", cost: [1, 3]),
        Trouble(
            testDescription: "a part is not taken",
            fault: FeatureServerFault(.page(status: 503), on: .uploadPart, skipping: 1),
            cost: [1, 4]),
        Trouble(
            testDescription: "the response to a part is lost",
            fault: FeatureServerFault(.loseResponse, on: .uploadPart, skipping: 1),
            cost: [1, 4]),
        Trouble(
            testDescription: "the upload expires between parts",
            fault: FeatureServerFault(.forgetUploads, on: .uploadPart, skipping: 1), cost: [2, 5]),
        Trouble(
            testDescription: "the upload expires before it is put together",
            fault: FeatureServerFault(.forgetUploads, on: .commit), cost: [2, 6]),
        Trouble(
            testDescription: "the response to the last request of the upload is lost",
            fault: FeatureServerFault(.loseResponse, on: .commit), cost: [2, 6], isPostedAgain: true),
    ]

    private static let content: [UInt8] = [1, 2, 3, 4, 5]

    @Test("An addition arrives whole and once", arguments: FeatureSite.styles, troubles)
    func additions(style: Style, trouble: Trouble) async throws {
        for operation in [FeatureServerOperation.applyEdits, .addAttachment] {
            try await FeatureSite.open(style) {
                $0.layers[0].supportsEditsByGlobalID = operation == .applyEdits
            } _: { site in
                let photos = try await site.owner { $0.partSize = 2 }.manager(for: "1")
                try await photos.add(ByteContent(Self.content), FeatureSite.jpeg("a.jpg"))
                if let fault = trouble.fault { site.server.inject(fault) }
                let first = try await photos.postLocalEdits()
                #expect(first.map { $0.error == nil } == [!trouble.isPostedAgain])
                #expect(first.allSatisfy { $0.error?.isOutcomeUnknown != true })
                if trouble.isPostedAgain {
                    #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
                }
                #expect(try await site.served() == ["1 a.jpg [1, 2, 3, 4, 5]"])
                #expect([site.requests(.register).count, site.requests(.uploadPart).count] == trouble.cost)
                #expect(site.requests(operation).count == 1)
            }
        }
    }

    @Test(
        "An upload that has expired when it is to be attached begins again, and is attached once",
        arguments: FeatureSite.styles,
        [FeatureServerOperation.applyEdits, .addAttachment, .updateAttachment])
    func expiredAtTheEnd(style: Style, operation: FeatureServerOperation) async throws {
        try await FeatureSite.open(style) {
            $0.layers[0].supportsEditsByGlobalID = operation == .applyEdits
        } _: { site in
            let photos = try await site.owner { $0.partSize = 2 }.manager(for: "1")
            if operation == .updateAttachment {
                try site.server.attach([9], named: "a.jpg", contentType: "image/jpeg", to: 1)
                try await photos.fetchAttachments()
                try await photos.update(photos.attachments[0].id, content: ByteContent(Self.content))
            } else {
                try await photos.add(ByteContent(Self.content), FeatureSite.jpeg("a.jpg"))
            }
            site.server.inject(FeatureServerFault(.forgetUploads, on: operation))
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(try await site.served() == ["1 a.jpg [1, 2, 3, 4, 5]"])
            #expect(site.requests(.register).count == 2 && site.requests(operation).count == 2)
        }
    }

    @Test(
        "An addition keeps its id where nobody knows of the first attempt and the upload of the second one fails",
        arguments: FeatureSite.styles, [true, false])
    func secondAttempt(style: Style, concernsAll: Bool) async throws {
        try await FeatureSite.open(style) { site in
            let photos = try await site.owner().manager(for: "1")
            let added = try await photos.add(ByteContent(Self.content), FeatureSite.jpeg("a.jpg"))
            site.server.inject(FeatureServerFault(.page(status: 504), on: .applyEdits))
            #expect(try await photos.postLocalEdits().map { $0.error?.isOutcomeUnknown } == [true])
            let effect = concernsAll ? FeatureServerFault.Effect.page(status: 503) : .error(code: 500, message: "Full.")
            site.server.inject(FeatureServerFault(effect, on: .upload))
            #expect(try await photos.postLocalEdits().map { $0.error?.isOutcomeUnknown } == [false])
            #expect(photos.attachments.map(\.isUnconfirmed) == [concernsAll])
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(photos.attachments.map(\.id) == [added.id])
            #expect(try await site.served() == ["1 a.jpg [1, 2, 3, 4, 5]"])
            let edits = site.requests(.applyEdits).compactMap { $0.parameters["attachments"] }
            let beginning = #"{"adds":[{"globalId":"{"#.count + 36
            #expect(edits.count == 2 && Set(edits.map { $0.prefix(beginning) }).count == 1)
        }
    }

    @Test("Where a layer takes no uploads, large content goes in one form", arguments: FeatureSite.styles)
    func noUploads(style: Style) async throws {
        try await FeatureSite.open(style) {
            $0.layers[0].supportsUploadIDs = false
        } _: { site in
            let photos = try await site.owner { $0.partSize = 2 }.manager(for: "1")
            try await photos.add(ByteContent(Self.content), FeatureSite.jpeg("a.jpg"))
            #expect(try await photos.postLocalEdits().map { $0.error?.message } == [nil])
            #expect(try await site.served() == ["1 a.jpg [1, 2, 3, 4, 5]"])
            #expect(site.requests(.addAttachment).map { $0.files["attachment"]?.size } == [5])
        }
    }
}
