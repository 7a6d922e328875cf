import ByteStreams
import HTTPTypes
import ODataAttachments
import ODataOffline
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Attachments in a set of their own")
struct AttachmentSetTests {
    @Test("Details come first and the content after them; other details and deletions are posted")
    func wholeWay() async throws {
        try await InspectionSite.open { site in
            let files = try await site.attachments().manager(for: "Inspections(1)")
            let added = try await files.add(ByteContent([7, 7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["valve.png|image/png|0707"])
            try await files.fetchAttachments()
            #expect(files.attachments.map(\.id) == [added.id])
            #expect(files.attachments.map(\.details) == [.png("valve.png")])

            try await files.update(added.id, content: ByteContent([8]), details: .png("after.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["after.png|image/png|08"])
            try await files.fetchAttachments()
            try await files.markForDeletion(added.id)
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files().isEmpty)
        }
    }

    @Test("Content reaches a service that demands ETags")
    func conditions() async throws {
        try await InspectionSite.open(requiresETags: true) { site in
            let files = try await site.attachments().manager(for: "Inspections(1)")
            try await files.add(ByteContent([7, 7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["valve.png|image/png|0707"])
        }
    }

    @Test("Content that the service still looks at, or has found malware in, is not read; its state is told")
    func scanStates() async throws {
        try await InspectionSite.open { site in
            let files = try await site.attachments().manager(for: "Inspections(1)")
            try await files.add(ByteContent([7]), .png("valve.png"))
            try await files.postLocalEdits()
            try await files.clear()
            for (state, words) in [("Scanning", "later"), ("Failed", "could not"), ("Infected", "has found malware")] {
                try site.execute("UPDATE Files SET status = '\(state)'")
                try await files.fetchAttachments()
                let attachment = try #require(files.attachments.first)
                #expect(attachment.scanState?.rawValue == state && !attachment.hasContent)
                let error = await #expect(throws: ODataError.self) { try await files.fetchContent(of: attachment.id) }
                #expect(error?.code == .forbidden && error?.message.contains(words) == true)
                #expect(files.status.errors[attachment.id]?.message.contains(state) == true)
            }
            // It is asked for again: what was listed may be old.
            try site.execute("UPDATE Files SET status = 'Clean'")
            let attachment = try #require(files.attachments.first)
            try await files.fetchContent(of: attachment.id)
            #expect(try await files.content(of: attachment.id).collect(upTo: 10) == [7])
        }
    }

    @Test("Content that a service does not look at is read")
    func unscanned() async throws {
        try await InspectionSite.open { site in
            let files = try await site.attachments().manager(for: "Inspections(1)")
            try await files.add(ByteContent([7]), .png("valve.png"))
            try await files.postLocalEdits()
            try await files.clear()
            try site.execute("UPDATE Files SET status = 'Unscanned'")
            try await files.fetchAttachments()
            let attachment = try #require(files.attachments.first)
            #expect(attachment.scanState == .unscanned)
            try await files.fetchContent(of: attachment.id)
            #expect(try await files.content(of: attachment.id).collect(upTo: 10) == [7])
        }
    }

    @Test(
        "What was cut off in either step is found by the process that comes next, and gone on with",
        arguments: [HTTPRequest.Method.post, .put], [TransportFault.responseLost, .requestLost, .refused])
    func cutOff(method: HTTPRequest.Method, fault: TransportFault) async throws {
        try await InspectionSite.open { site in
            let owner = try site.attachments(.once(fault) { $0.method == method })
            let files = try await owner.manager(for: "Inspections(1)")
            // The same content twice: each is one file.
            try await files.add(ByteContent([7]), .png("a.png"))
            try await files.add(ByteContent([7]), .png("b.png"))
            #expect(try await files.postLocalEdits().contains { $0.error != nil })
            if method == .put {
                #expect(files.attachments[0].isUnconfirmed)
                #expect(try await files.cancelLocalEdits().map(\.name) == ["a.png"], "it is at the service in part")
                try await files.add(ByteContent([7]), .png("b.png"))
            }
            try site.copy("journal", to: "next")

            let next = try await site.attachments(folder: "next").manager(for: "Inspections(1)")
            try await next.fetchAttachments()
            #expect(try await next.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(!next.hasLocalEdits && !next.attachments.contains(where: \.isUnconfirmed))
            #expect(try site.files() == ["a.png|image/png|07", "b.png|image/png|07"])
            try await next.fetchAttachments()
            #expect(next.attachments.map(\.name) == ["a.png", "b.png"])
        }
    }

    /// A gateway responds instead of the service, which tells its version with other responses.
    @Test(
        "A success that is not the service's leaves an edit in doubt, which is carried out once",
        arguments: [HTTPRequest.Method.post, .put, .patch, .delete],
        [
            TransportFault.status(204), .status(200),
            .body(Array(#"{"session":"expired"}"#.utf8), contentType: "application/json"),
        ])
    func stray(method: HTTPRequest.Method, fault: TransportFault) async throws {
        try await InspectionSite.open { site in
            let isFirst = Mutex(method == .post || method == .put)
            let plan = FaultPlan { attempt in
                guard attempt.request.method == method, isFirst.withLock({ $0 }) else { return nil }
                isFirst.withLock { $0 = false }
                return fault
            }
            let files = try await site.attachments(plan).manager(for: "Inspections(1)")
            let attachment = try await files.add(ByteContent([7]), .png("valve.png"))
            if method == .patch || method == .delete {
                try await files.postLocalEdits()
                isFirst.withLock { $0 = true }
                if method == .patch {
                    try await files.update(attachment.id, details: .png("pump.png"))
                } else {
                    try await files.markForDeletion(attachment.id)
                }
            }
            #expect(try await files.postLocalEdits().map { $0.error?.isOutcomeUnknown } == [true])
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(!files.hasLocalEdits)
            let name = method == .patch ? "pump.png" : "valve.png"
            #expect(try site.files() == (method == .delete ? [] : ["\(name)|image/png|07"]))
        }
    }

    @Test("A state of the service's own says nothing of content: it is still sent", arguments: ["New", "Unscanned"])
    func otherStates(state: String) async throws {
        try await InspectionSite.open { site in
            let owner = try site.attachments(.once(.requestLost) { $0.method == .put })
            let files = try await owner.manager(for: "Inspections(1)")
            try await files.add(ByteContent([7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().map { $0.error?.isOutcomeUnknown } == [true])
            try site.execute("UPDATE Files SET status = '\(state)'")
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["valve.png|image/png|07"])
        }
    }

    @Test("A key of the service's own is refused; what stays there of it is in doubt", arguments: [true, false])
    func otherKeys(isRemoved: Bool) async throws {
        try await InspectionSite.open { site in
            let other =
                ##"{"@odata.context":"$metadata#Files/$entity","ID":"55e85f98-fbdd-4129-9f0b-848dd40bd911","filename":"valve.png"}"##
            let isTold = Mutex(false)
            let plan = FaultPlan { attempt in
                if attempt.request.method == .delete { return isRemoved ? .status(204) : nil }
                guard attempt.request.method == .post else { return nil }
                let isFirst = isTold.withLock { isTold in
                    defer { isTold = true }
                    return !isTold
                }
                return isFirst ? .body(Array(other.utf8), contentType: "application/json") : nil
            }
            let files = try await site.attachments(plan).manager(for: "Inspections(1)")
            try await files.add(ByteContent([7]), .png("valve.png"))
            let error = try #require(try await files.postLocalEdits().first?.error)
            #expect(error.code == .invalidResponse && error.isOutcomeUnknown == !isRemoved)
            #expect(files.attachments.map(\.isUnconfirmed) == [!isRemoved])
            // It was made under the right key.
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["valve.png|image/png|07"])
        }
    }

    @Test(
        "An attempt that does not reach the service takes back nothing of one before it that may have arrived",
        arguments: 0..<3)
    func secondAttempt(reads: Int) async throws {
        try await InspectionSite.open { site in
            let readsLeft = Mutex<Int?>(nil)
            let plan = FaultPlan { attempt in
                readsLeft.withLock { left in
                    if attempt.request.method == .put, left == nil {
                        left = reads
                        return .requestLost
                    }
                    guard attempt.request.method == .get, let more = left else { return nil }
                    left = more - 1
                    return more == 0 ? .refused : nil
                }
            }
            let files = try await site.attachments(plan).manager(for: "Inspections(1)")
            try await files.add(ByteContent([7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().map { $0.error?.isOutcomeUnknown } == [true])
            #expect(try await files.postLocalEdits().map { $0.error?.code } == [.unreachable])
            #expect(files.attachments.map(\.isUnconfirmed) == [true])
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["valve.png|image/png|07"])
        }
    }

    @Test(
        "An update in doubt whose content may not be read because of malware can be given up",
        arguments: ["Scanning", "Infected", "Failed"])
    func unreadableUpdate(state: String) async throws {
        try await InspectionSite.open { site in
            let isLost = Mutex(false)
            let plan = FaultPlan { attempt in
                guard attempt.request.method == .put else { return nil }
                return isLost.withLock { isLost in
                    defer { isLost = false }
                    return isLost ? .responseLost : nil
                }
            }
            let files = try await site.attachments(plan).manager(for: "Inspections(1)")
            let added = try await files.add(ByteContent([7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            try await files.update(added.id, content: ByteContent([8]))
            isLost.withLock { $0 = true }
            #expect(try await files.postLocalEdits().map { $0.error?.isOutcomeUnknown } == [true])
            #expect(files.attachments.map(\.isUnconfirmed) == [true])
            try site.execute("UPDATE Files SET status = '\(state)'")
            let error = try await files.postLocalEdits().first?.error
            #expect(error?.isOutcomeUnknown != true && error?.code != .forbidden)
            #expect(files.attachments.map(\.isUnconfirmed) == [false])
            #expect(try await files.cancelLocalEdits().isEmpty)
            #expect(try site.files() == ["valve.png|image/png|08"])
        }
    }

    @Test("Of content that the service refuses no entity is left")
    func refused() async throws {
        try await InspectionSite.open { site in
            let owner = try site.attachments(.once(.status(415)) { $0.method == .put })
            let files = try await owner.manager(for: "Inspections(1)")
            try await files.add(ByteContent([7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().map { $0.error?.code } == [.unsupportedMediaType])
            #expect(try site.files().isEmpty)
            #expect(files.attachments.map(\.editState) == [.added] && !files.attachments[0].isUnconfirmed)
            #expect(try await files.postLocalEdits().map { $0.error == nil } == [true])
            #expect(try site.files() == ["valve.png|image/png|07"])
        }
    }

    @Test("With an offline store both steps go through its queue")
    func offline() async throws {
        try await InspectionSite.open { site in
            let device = try await site.device()
            let backEnd = AttachmentSetBackEnd(store: device, navigation: "Files")
            let owner = AttachmentOwner(store: device, backEnd: backEnd)
            let files = try await owner.manager(for: "Inspections(1)")
            let added = try await files.add(ByteContent([7, 7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files().isEmpty)
            #expect(try await device.upload().isComplete)
            #expect(try site.files() == ["valve.png|image/png|0707"])
            try await device.download()
            try await files.fetchAttachments()
            #expect(files.attachments.map(\.id) == [added.id])
            try device.close()
        }
    }

    @Test("A navigation property to something else, and keys that cannot be made here, are refused")
    func otherSets() async throws {
        try await InspectionSite.open { site in
            let backEnd = AttachmentSetBackEnd(store: try site.online(), navigation: "Photos")
            let owner = try AttachmentOwner(folder: site.path + "/journal", backEnd: backEnd)
            let photos = try await owner.manager(for: "Inspections(1)")
            let error = await #expect(throws: ODataError.self) { try await photos.fetchAttachments() }
            #expect(error?.code == .badRequest && error?.message.contains("stream properties") == true)
        }
    }
}
