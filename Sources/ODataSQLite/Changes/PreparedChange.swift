import ByteStreams
import ODataModel
import ODataQuery
import ODataStores

/// A change that waits for nothing any more: its stream has arrived.
struct PreparedChange: Sendable {
    var request: ChangeRequest
    var upload: StreamUpload?
    /// Stands for method, target and body: repetitions of a request have the same. Empty if none can come.
    var fingerprint: String
    /// Names the request in the log of repeatable requests; nil if no repetition can come.
    var repetitionKey: String?

    init(_ request: ChangeRequest, _ intake: StreamIntake) async throws {
        self.request = request
        repetitionKey = RepeatabilityLog.key(request)
        switch request.operation {
        case .createMedia(let media, _), .replaceStream(let media):
            upload = try await intake.take(media.content)
        default: upload = nil
        }
        fingerprint = request.repeatability == nil ? "" : try Self.fingerprint(of: request, upload: upload)
    }

    /// Whether it is about one entity and brings no stream, so that it can share a transaction with others.
    var isShort: Bool {
        guard upload == nil, !request.target.segments.contains(.each) else { return false }
        switch request.operation {
        case .create(let payload), .update(let payload), .replace(let payload): return payload.nested.isEmpty
        case .delete, .setValue, .insertValue, .setRawValue, .addReference, .removeReference: return true
        case .createMedia, .replaceStream, .deleteStream, .call: return false
        }
    }

    private static func fingerprint(of request: ChangeRequest, upload: StreamUpload?) throws -> String {
        var hash = StableHash()
        hash.add(text: request.target.url)
        switch request.operation {
        case .create(let payload): hash.add("create", payload)
        case .createMedia(_, let slug): hash.add("createMedia", slug ?? "", try upload?.digest() ?? "")
        case .update(let payload): hash.add("update", payload)
        case .replace(let payload): hash.add("replace", payload)
        case .delete: hash.add("delete")
        case .setValue(let value): hash.add("setValue", value.lexical)
        case .insertValue(let value, let index):
            hash.add("insertValue", index.map { "\($0)" } ?? "", value.lexical)
        case .setRawValue(let bytes, _):
            hash.add("setRawValue")
            bytes.withUnsafeBytes { hash.add(bytes: $0) }
        case .addReference(let reference): hash.add("addReference", reference.text)
        case .removeReference(let reference): hash.add("removeReference", reference?.text ?? "")
        case .replaceStream: hash.add("replaceStream", try upload?.digest() ?? "")
        case .deleteStream: hash.add("deleteStream")
        case .call(let arguments): hash.add("call", EntityPayload(arguments))
        }
        return hash.text
    }
}

/// A call that is carried out once, among the changes of a change set.
struct PreparedCall: Sendable {
    let change: PreparedChange
    /// The places of what the action has planned.
    let changes: Range<Int>
    let result: OperationResult

    init(_ call: RepeatableCall, _ intake: StreamIntake) async throws {
        change = try await PreparedChange(call.request, intake)
        changes = call.changes
        result = call.result
    }
}

extension EntityReference {
    fileprivate var text: String {
        switch self {
        case .path(let path): path.url
        case .url(let url): url
        }
    }
}

extension StableHash {
    fileprivate mutating func add(_ texts: String...) {
        for text in texts { add(text: text) }
    }

    fileprivate mutating func add(_ operation: String, _ payload: EntityPayload) {
        add(operation)
        for member in payload.properties.members {
            add(member.name, member.value.isNull ? "" : "=", member.value.lexical)
        }
        for binding in payload.bindings {
            add("@bind", binding.navigation)
            for reference in binding.references { add(reference.text) }
        }
        for nested in payload.nested {
            for entity in nested.entities { add(nested.navigation, entity) }
        }
    }
}
