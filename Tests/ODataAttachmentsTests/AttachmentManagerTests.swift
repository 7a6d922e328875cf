import ByteStreams
import Foundation
import GRDB
import HTTPTypes
import ODataStores
import ODataTesting
import Synchronization
import Testing

@testable import ODataAttachments

@Suite("Attachments of a service, over HTTP")
struct AttachmentManagerTests {
    private static func states(_ manager: AttachmentManager) -> [String] {
        manager.attachments.map { "\($0.name) \($0.editState)" }
    }

    @Test("Photos are listed, fetched, edited and posted; the entity is related at once")
    func wholeWay() async throws {
        try await InspectionSite.open { site in
            let photos = try await site.photos().manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            #expect(Self.states(photos) == ["gauge original", "valve original"])
            #expect(photos.attachments.map(\.hasContent) == [false, false])
            #expect(await photos.fetchContents().allSatisfy { $0.error == nil })
            let (gauge, valve) = (photos.attachments[0].id, photos.attachments[1].id)
            #expect(try await photos.content(of: valve).collect(upTo: 10) == [2, 2])

            let added = try await photos.add(ByteContent([7, 8]), .png("leak"))
            try await photos.update(gauge, content: ByteContent([9]), details: .png("gauge, after"))
            try await photos.markForDeletion(valve)
            #expect(photos.hasLocalEdits)
            #expect(Self.states(photos) == ["gauge, after updated", "valve markedForDeletion", "leak added"])
            #expect(try site.served() == ["1|gauge|01", "2|valve|0202"])

            let results = try await photos.postLocalEdits()
            #expect(results.map { $0.error?.message } == [nil, nil, nil])
            #expect(results.map(\.attachment.editState) == [.original, .deletedFromServer, .original])
            #expect(try site.served() == ["1|gauge, after|09", "4|leak|0708"])
            #expect(!photos.hasLocalEdits)
            try await photos.fetchAttachments()
            #expect(Self.states(photos) == ["gauge, after original", "leak original"])
            #expect(photos.attachments.map(\.id) == [gauge, added.id], "an attachment keeps its id")
            #expect(photos.attachments.last?.remoteID == "Photos(4)")
            #expect(try await photos.content(of: added.id).collect(upTo: 10) == [7, 8])
        }
    }

    @Test("An edit that is refused does not keep others from being posted, and is mended without doing all again")
    func oneBad() async throws {
        try await InspectionSite.open { site in
            let photos = try await site.photos().manager(for: "Inspections(2)")
            try await photos.add(ByteContent([1]), .png("first"))
            // The service takes the content, and not the caption.
            let bad = try await photos.add(ByteContent([2]), .png("refused"))
            try await photos.add(ByteContent([3]), .png("last"))
            let results = try await photos.postLocalEdits()
            #expect(results.map { $0.error == nil } == [true, false, true])
            #expect(Self.states(photos) == ["first original", "refused updated", "last original"])
            #expect(photos.status.errors.keys.map { $0 } == [bad.id])
            #expect(try site.served(2) == ["3|lid|030303", "4|first|01", "5||02", "6|last|03"])
            try await photos.update(bad.id, details: .png("mended"))
            #expect(try await photos.postLocalEdits().map { $0.error == nil } == [true])
            #expect(try site.served(2) == ["3|lid|030303", "4|first|01", "5|mended|02", "6|last|03"])
        }
    }

    @Test("What somebody else has changed is not overwritten, unless the app has seen it and edits it again")
    func newerVersion() async throws {
        try await InspectionSite.open { site in
            let photos = try await site.photos().manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            let gauge = photos.attachments[0].id
            try await photos.update(gauge, content: ByteContent([9]))
            try site.execute("UPDATE Photos SET Content = x'111111' WHERE PhotoID = 1")
            #expect(try await photos.postLocalEdits().map { $0.error?.code } == [.preconditionFailed])
            try await photos.fetchAttachments()
            #expect(Self.states(photos) == ["gauge updated", "valve original"])
            #expect(try await photos.postLocalEdits().map { $0.error?.code } == [.preconditionFailed])
            try await photos.update(gauge, content: ByteContent([9, 9]))
            #expect(try await photos.postLocalEdits().map { $0.error?.code } == [nil])
            #expect(try site.served() == ["1|gauge|0909", "2|valve|0202"])
        }
    }

    @Test(
        "An edit whose response was lost is found at the service by the process that comes next, and not done twice",
        arguments: [HTTPRequest.Method.post, .put, .patch, .delete], [true, false])
    func lostResponses(method: HTTPRequest.Method, listsFirst: Bool) async throws {
        try await InspectionSite.open { site in
            let owner = try site.photos(.once(.responseLost) { $0.method == method })
            let photos = try await owner.manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            try await photos.update(photos.attachments[0].id, content: ByteContent([9]))
            try await photos.markForDeletion(photos.attachments[1].id)
            // The same content twice: each is one photo.
            try await photos.add(ByteContent([7]), .png("new"))
            try await photos.add(ByteContent([7]), .png("new too"))
            let unknown = try await photos.postLocalEdits().filter { $0.error?.isOutcomeUnknown == true }
            try #require(unknown.count == 1)
            // Details that may have arrived can be sent again: they are edited as if they had not.
            let unconfirmed = method == .patch ? [] : [unknown[0].attachment.id]
            #expect(photos.attachments.filter(\.isUnconfirmed).map(\.id) == unconfirmed)
            for id in unconfirmed {
                let error = await #expect(throws: ODataError.self) { try await photos.markForDeletion(id) }
                #expect(error?.code == .conflict)
            }
            try site.copy("journal", to: "next")
            #expect(try await photos.cancelLocalEdits().map(\.id) == unconfirmed)

            let next = try await site.photos(folder: "next").manager(for: "Inspections(1)")
            #expect(next.hasLocalEdits && next.attachments.filter(\.isUnconfirmed).map(\.id) == unconfirmed)
            if listsFirst {
                try await next.fetchAttachments()
            } else if method == .patch {
                try await next.update(unknown[0].attachment.id, details: .png("new"))
            }
            #expect(try await next.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(!next.hasLocalEdits && !next.attachments.contains(where: \.isUnconfirmed))
            #expect(try site.served() == ["1|gauge|09", "4|new|07", "5|new too|07"])
        }
    }

    @Test(
        "A deletion is done where the list has it no more: 404 alone may be the service's word on itself",
        arguments: [404, 410], [true, false])
    func deletionNotFound(status: Int, isListed: Bool) async throws {
        try await InspectionSite.open { site in
            let isGone = Mutex(false)
            let plan = FaultPlan { attempt in
                guard isGone.withLock({ $0 }) else { return nil }
                return isListed && attempt.request.method != .delete ? nil : .status(status)
            }
            let photos = try await site.photos(plan).manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            let gauge = photos.attachments[0].id
            try await photos.markForDeletion(gauge)
            isGone.withLock { $0 = true }
            let code = status == 404 ? ODataError.Code.notFound : .gone
            #expect(try await photos.postLocalEdits().map { $0.error?.code } == [code])
            #expect(Self.states(photos) == ["gauge markedForDeletion", "valve original"])
            isGone.withLock { $0 = false }
            #expect(try await photos.postLocalEdits().map { $0.error?.code } == [nil])
            #expect(try site.served() == ["2|valve|0202"])

            // Another client is first.
            let valve = photos.attachments[1].id
            try await photos.markForDeletion(valve)
            try site.execute("DELETE FROM Photos WHERE PhotoID = 2")
            #expect(try await photos.postLocalEdits().map(\.attachment.editState) == [.deletedFromServer])
        }
    }

    @Test(
        "What a lost addition made was listed and edited: the edit stays, and nothing is done twice",
        arguments: [true, false])
    func editedTwin(isDeleted: Bool) async throws {
        try await InspectionSite.open { site in
            let owner = try site.photos(.once(.responseLost) { $0.method == .post })
            let photos = try await owner.manager(for: "Inspections(2)")
            try await photos.add(ByteContent([7]), .png("new"))
            #expect(try await photos.postLocalEdits().map { $0.error?.isOutcomeUnknown } == [true])
            try await photos.fetchAttachments()
            let listed = try #require(photos.attachments.last)
            if isDeleted {
                try await photos.markForDeletion(listed.id)
            } else {
                try await photos.update(listed.id, content: ByteContent([8]))
            }
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(!photos.hasLocalEdits)
            #expect(Self.states(photos).contains("new original") == !isDeleted)
            #expect(try site.served(2) == ["3|lid|030303"] + (isDeleted ? [] : ["4|new|08"]))
        }
    }

    @Test("Edits outlive the process; clearing takes what was fetched and no edit, giving up takes the edits")
    func clearing() async throws {
        try await InspectionSite.open { site in
            let first = try await site.photos().manager(for: "Inspections(1)")
            try await first.fetchAttachments()
            try await first.add(ByteContent([5]), .png("new"))
            try await first.update(first.attachments[0].id, details: .png("renamed"))
            try site.copy("journal", to: "next")

            let owner = try site.photos(folder: "next")
            #expect(try await owner.hasLocalEdits)
            let photos = try await owner.manager(for: "Inspections(InspectionID=1)")
            #expect(Self.states(photos) == ["renamed updated", "valve original", "new added"])
            #expect(await photos.fetchContents().count == 2)
            try await owner.clear()
            #expect(try await owner.manager(for: "Inspections(1)") === photos)
            #expect(Self.states(photos) == ["renamed updated", "new added"])
            #expect(photos.attachments.map(\.hasContent) == [false, true])
            #expect(try await photos.content(of: photos.attachments[1].id).collect(upTo: 9) == [5])
            #expect(try await photos.cancelLocalEdits().isEmpty)
            #expect(Self.states(photos) == ["gauge original"])
            let files = try FileManager.default.subpathsOfDirectory(atPath: site.path + "/next/media")
            #expect(!files.contains { $0.count > 64 }, "no content is left")
            #expect(try site.served() == ["1|gauge|01", "2|valve|0202"])
        }
    }

    @Test("Content that is older than the list is fetched again, three times at most", arguments: [1, 3])
    func newerContent(changes: Int) async throws {
        try await InspectionSite.open { site in
            let backEnd = TappedBackEnd(InspectionSite.photos(of: try site.online()))
            let owner = try AttachmentOwner(folder: site.path + "/journal", backEnd: backEnd)
            let photos = try await owner.manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            for change in 1...changes {
                backEnd.tap {
                    try site.execute("UPDATE Photos SET Content = zeroblob(\(change + 1)) WHERE PhotoID = 1")
                    try await photos.fetchAttachments()
                }
            }
            let gauge = photos.attachments[0].id
            if changes == 3 {
                let error = await #expect(throws: ODataError.self) { try await photos.fetchContent(of: gauge) }
                #expect(error?.code == .conflict)
            }
            try await photos.fetchContent(of: gauge)
            #expect(photos.attachments[0].hasContent && photos.status.errors.isEmpty)
            let bytes = [UInt8](repeating: 0, count: changes + 1)
            #expect(try await photos.content(of: gauge).collect(upTo: 10) == bytes)
        }
    }

    @Test("One posting at a time: it lasts until all is done, also where each edit has its result")
    func onePosting() async throws {
        try await InspectionSite.open { site in
            let photos = try await site.photos().manager(for: "Inspections(2)")
            let added = try await photos.add(ByteContent([1]), .png("one"))
            try photos.beginPosting([added.id])
            photos.change { $0.posting = [] }
            let error = await #expect(throws: ODataError.self) { try await photos.postLocalEdits() }
            #expect(error?.code == .conflict)
            photos.endPosting()
            #expect(try await photos.postLocalEdits().map { $0.error == nil } == [true])
        }
    }

    @Test("The list and each content have their own errors; without a service, edits wait")
    func errors() async throws {
        try await InspectionSite.open { site in
            let plan = FaultPlan { attempt in
                let path = attempt.request.path ?? ""
                if path.hasSuffix("Photos(1)/$value") { return .status(403) }
                return path.contains("Inspections(2)") ? .refused : nil
            }
            let owner = try site.photos(plan)
            let photos = try await owner.manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            #expect(await photos.fetchContents().map { $0.error?.code } == [.forbidden, nil])
            #expect(photos.status.errors.values.map(\.code) == [.forbidden])
            #expect(photos.attachments.map(\.hasContent) == [false, true])

            let others = try await owner.manager(for: "Inspections(2)")
            #expect(others !== photos)
            #expect(try await owner.manager(for: "Inspections(2)") === others)
            await #expect(throws: ODataError.self) { try await others.fetchAttachments() }
            #expect(others.status.listError?.code == .unreachable)
            try await others.add(ByteContent([1]), .png("one"))
            try await others.add(ByteContent([1]), .png("two"))
            #expect(try await others.postLocalEdits().map { $0.error?.code } == [.unreachable, .unreachable])
            #expect(Self.states(others) == ["one added", "two added"])
        }
    }

    @Test("Whoever watches sees what is done, and the last state for certain")
    func watching() async throws {
        try await InspectionSite.open { site in
            let photos = try await site.photos().manager(for: "Inspections(2)")
            var statuses = photos.statuses.makeAsyncIterator()
            #expect(await statuses.next()?.attachments.isEmpty == true)
            let added = try await photos.add(ByteContent([1]), .png("one"))
            #expect(await statuses.next()?.hasLocalEdits == true)
            try await photos.postLocalEdits()
            let last = try #require(await statuses.next())
            #expect(last.attachments.map(\.editState) == [.original] && last.posting.isEmpty && !last.hasLocalEdits)
            #expect(last.attachments.map(\.id) == [added.id])
        }
    }

    @Test("A folder of another program, or one that is in use, is refused")
    func folders() async throws {
        try await InspectionSite.open { site in
            let owner = try site.photos()
            let error = #expect(throws: ODataError.self) { try site.photos() }
            #expect(error?.code == .unusableStore)
            _ = try await owner.manager(for: "Inspections(1)")
            await #expect(throws: ODataError.self) { try await owner.manager(for: "Inspections") }
            for (folder, sql) in [
                ("foreign", "CREATE TABLE t (a)"),
                ("newer", "PRAGMA application_id = \(0x4F44_6174); PRAGMA user_version = 99"),
            ] {
                try FileManager.default.createDirectory(
                    atPath: "\(site.path)/\(folder)", withIntermediateDirectories: true)
                let queue = try DatabaseQueue(path: "\(site.path)/\(folder)/attachments.sqlite")
                try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
                try queue.close()
                let error = #expect(throws: ODataError.self) { try site.photos(folder: folder) }
                #expect(error?.code == .unusableStore)
            }
        }
    }
}
