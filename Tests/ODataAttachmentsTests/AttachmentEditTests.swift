import ODataStores
import Testing

@testable import ODataAttachments

@Suite("Edit states")
struct AttachmentEditTests {
    private typealias State = EntityAttachment.EditState

    /// What becomes of a state by each event, in the order of `Event.allCases`: the next state, `restore` where what the
    /// service has counts again, `gone`, `refused`.
    private static let table: [(state: String, outcomes: [String])] = [
        //             update, mark, unmark, cancel, posted, contentPosted, listed, missing
        (
            "original",
            ["updated", "markedForDeletion", "original", "original", "original", "original", "original", "gone"]
        ),
        ("added", ["added", "gone", "added", "gone", "original", "updated", "added", "added"]),
        (
            "updated",
            [
                "updated", "markedForDeletion", "updated", "original restore", "original", "updated", "updated",
                "updated",
            ]
        ),
        (
            "markedForDeletion",
            [
                "refused", "markedForDeletion", "original", "original", "deletedFromServer", "markedForDeletion",
                "markedForDeletion", "deletedFromServer",
            ]
        ),
        (
            "updated and marked",
            [
                "refused", "markedForDeletion", "updated", "original restore", "deletedFromServer",
                "markedForDeletion", "markedForDeletion", "deletedFromServer",
            ]
        ),
        (
            "deletedFromServer",
            [
                "refused", "refused", "refused", "deletedFromServer", "deletedFromServer", "deletedFromServer",
                "original", "gone",
            ]
        ),
    ]

    @Test("Every event in every state")
    func transitions() throws {
        for (name, outcomes) in Self.table {
            #expect(outcomes.count == AttachmentEdit.Event.allCases.count)
            for (event, expected) in zip(AttachmentEdit.Event.allCases, outcomes) {
                var edit = try start(name)
                let before = edit
                do throws(ODataError) {
                    let action = try edit.apply(event)
                    let outcome =
                        switch action {
                        case .keep: edit.state.rawValue
                        case .restore: "\(edit.state.rawValue) restore"
                        case .remove: "gone"
                        }
                    #expect(outcome == expected, "\(name), \(event)")
                } catch {
                    #expect(expected == "refused", "\(name), \(event)")
                    #expect(error.code == .conflict && edit == before)
                }
            }
        }
    }

    private func start(_ name: String) throws -> AttachmentEdit {
        guard let state = State(rawValue: name) else {
            var edit = AttachmentEdit(.updated)
            _ = try edit.apply(.mark)
            return edit
        }
        return AttachmentEdit(state)
    }

    @Test(
        "What a service takes is checked before anything is kept",
        arguments: [
            ("a.png", "image/png", 10, ""), ("a.png", "IMAGE/PNG; q=1", 10, ""), ("b.gif", "image/gif", 10, ""),
            ("b.pdf", "application/pdf", 10, "unsupportedMediaType"), ("b.png", "image/png", 11, "tooLarge"),
            ("c.png", "image/png", 1, "badRequest"), ("", "image/png", 1, "badRequest"),
        ])
    func limits(name: String, type: String, length: Int, refusal: String) {
        let limits = AttachmentLimits(
            maxLength: 10, contentTypes: ["image/png", "image/*"], names: ["a.png", "b.png", "b.gif", "b.pdf"])
        do throws(ODataError) {
            try limits.check(AttachmentDetails(name: name, contentType: type))
            try limits.check(length: Int64(length))
            #expect(refusal.isEmpty)
        } catch {
            #expect(error.code.name == refusal)
        }
    }

    @Test("What a service does not allow is refused by name: endings, keywords, additions, changes")
    func refusals() throws {
        var limits = AttachmentLimits()
        for state in EntityAttachment.EditState.allCases { try limits.check(state) }
        limits.fileExtensions = ["jpg"]
        try limits.check(AttachmentDetails(name: "valve.JPG", contentType: "image/jpeg"))
        for name in ["valve.png", "jpg", "valve."] {
            let details = AttachmentDetails(name: name, contentType: "image/jpeg")
            let error = #expect(throws: ODataError.self) { try limits.check(details) }
            #expect(error?.code == .unsupportedMediaType)
        }
        limits.allowsKeywords = false
        let details = AttachmentDetails(name: "a.jpg", contentType: "image/jpeg", keywords: ["leak"])
        let error = #expect(throws: ODataError.self) { try limits.check(details) }
        #expect(error?.code == .badRequest)
        (limits.allowsAdding, limits.allowsChanging) = (true, false)
        try limits.check(.added)
        #expect(throws: ODataError.self) { try limits.check(.original) }
        (limits.allowsAdding, limits.allowsChanging) = (false, true)
        try limits.check(.original)
        #expect(throws: ODataError.self) { try limits.check(.added) }
    }
}
