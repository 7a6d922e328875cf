import Foundation
import GRDB
import ODataSQL
import ODataStores

/// A request as stored in `"$queue"`. It refers to entities by row id; URL and body are written when it is sent.
struct QueueRecord: Sendable {
    enum Operation: String, Sendable {
        case create, createMedia, update, replace, delete, addReference, removeReference, replaceStream, deleteStream
        case call

        /// Whether the body is the JSON of an entity.
        var hasPayload: Bool { self == .create || self == .update || self == .replace }

        var isCreation: Bool { self == .create || self == .createMedia }

        /// The effect of its success.
        var outcome: ChangeResult.Outcome {
            switch self {
            case .create, .createMedia: .created
            case .delete, .deleteStream: .deleted
            case .call: .called
            default: .updated
            }
        }

        /// Whether it sends a stream, which is read from its file and not held in memory.
        var hasStream: Bool { self == .createMedia || self == .replaceStream }
    }

    /// A row that a request names beside the one it changes.
    struct Named: Hashable, Sendable {
        var set: String
        var row: Int64
    }

    var id: Int64 = 0
    var operation: Operation
    /// The entity that the request changes. An action that is not bound to one has the row 0, and no set if it is
    /// bound to nothing.
    var set: String
    var row: Int64
    /// The navigation property of a reference or of a create below a parent; the stream property.
    var property: String?
    var body: Data?
    /// The content of a stream.
    var digest: String?
    var contentType: String?
    var slug: String?
    /// The entity at whose navigation property ``property`` the request is addressed.
    var parent: Named?
    /// The entity that a reference names.
    var target: Named?
    /// A reference to an entity that is not in the store, by URL; what an action is called on, with the options for
    /// its result.
    var targetURL: String?
    var headers: [HeaderField] = []
    var repeatability: RepeatabilityHeaders
    var method = ""
    var url = ""
    var state = QueueEntry.State.waiting
    var attempts = 0
    var created: String
    var changeSet: Int64?
    /// The app's names of the request and of its group.
    var tag: String?
    var category: String?
    /// Whether it may become one request with others of the same entity.
    var combines = true
    /// When it was last sent.
    var sent: String?
    /// The path of the entity that the request changes.
    var entity: String?
    /// Requests that must have succeeded before this one is sent: earlier ones, but for what creates the entity again.
    var dependsOn: [Int64] = []
    /// The mechanism that ensures that it is executed once, set when it was sent.
    var mechanism: ExactlyOnce?
    /// The last row id and the complete defining queries when it was first sent.
    var known: (row: Int64, queries: Set<Int64>)?

    init(_ operation: Operation, set: String, row: Int64, repeatability: RepeatabilityHeaders, created: String) {
        self.operation = operation
        self.set = set
        self.row = row
        self.repeatability = repeatability
        self.created = created
    }

    /// - Parameter row: The ``columns``, in their order.
    init(row: Row) throws {
        func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Column) throws -> Value {
            // A damaged page may have no value where there must be one.
            guard !row.hasNull(atIndex: column.rawValue) else {
                throw ODataError(.unusableStore, "The \(column) of a queued request is lost.")
            }
            return row[column.rawValue]
        }
        func given<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Column) -> Value? {
            row[column.rawValue]
        }
        operation = try Operation(value(.operation), version: value(.version))
        id = try value(.id)
        set = try value(.set)
        self.row = try value(.row)
        property = given(.property)
        body = given(.body)
        digest = given(.digest)
        contentType = given(.contentType)
        slug = given(.slug)
        parent = Self.named(given(.parentSet), given(.parentRow))
        target = Self.named(given(.targetSet), given(.targetRow))
        targetURL = given(.target)
        if let text: String = given(.headers) {
            headers = (try? JSONDecoder().decode([HeaderField].self, from: Data(text.utf8))) ?? []
        }
        repeatability = try RepeatabilityHeaders(requestID: value(.requestID), firstSent: value(.firstSent))
        method = try value(.method)
        url = try value(.url)
        state = try QueueEntry.State(rawValue: value(.state)) ?? .waiting
        attempts = try value(.attempts)
        created = try value(.created)
        changeSet = given(.changeSet)
        tag = given(.tag)
        category = given(.category)
        combines = given(.combines) ?? true
        sent = given(.sent)
        entity = given(.entity)
        dependsOn = Self.ids(given(.dependsOn) ?? "")
        mechanism = (given(.mechanism) as String?).flatMap(ExactlyOnce.init)
        let known = Self.ids(given(.known) ?? "")
        self.known = known.first.map { ($0, Set(known.dropFirst())) }
    }

    /// `[3,5]`
    static func ids(_ text: String) -> [Int64] {
        text.split { "[], ".contains($0) }.compactMap { Int64($0) }
    }

    private static func named(_ set: String?, _ row: Int64?) -> Named? {
        guard let set, let row else { return nil }
        return Named(set: set, row: row)
    }
}

extension QueueRecord {
    /// The columns of `"$queue"`, read by their position: by name each value is a search.
    enum Column: Int, CaseIterable {
        case id, version, operation, set, row, property, body, digest, contentType, slug, parentSet, parentRow
        case targetSet, targetRow, target, headers, requestID, firstSent, method, url, state, attempts, created
        case changeSet, tag, category, combines, sent, entity, dependsOn, mechanism, known
    }

    static let columns = Column.allCases.map { quoted("\($0)") }.joined(separator: ", ")

    /// As ``columns``, for the table of an older release too, which lacks some of them.
    static func columns(in db: Database) throws -> String {
        let names = try Set(db.columns(in: StoreTable.queue.name).map(\.name))
        return Column.allCases.map { names.contains("\($0)") ? quoted("\($0)") : "NULL" }.joined(separator: ", ")
    }
}

extension QueueRecord.Operation {
    /// - Throws: ``ODataError`` `unusableStore` for one that this release does not know: what depends on it must not be
    ///   sent without it.
    init(_ name: String, version: Int) throws {
        guard let operation = Self(rawValue: name), version == 1 else {
            throw ODataError(
                .unusableStore,
                "The request queue holds a request of an unknown kind: use the release that has written the store.")
        }
        self = operation
    }
}
