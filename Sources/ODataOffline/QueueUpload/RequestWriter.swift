import ByteStreams
import GRDB
import MediaIndexes
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Writes queued requests out for the service: with the keys, ETags and links its entities have now.
struct RequestWriter {
    let db: Database
    let offline: OfflineModel
    let media: FolderIndex
    /// Whether requests with a stream that is lost cannot be written; else they have an empty one.
    var needsContent = true

    /// The requests of a change set, or a single one.
    func requests(_ records: [QueueRecord]) throws -> [ChangeRequest] {
        var line = RequestLine(db: db, offline: offline)
        var changed: Set<Int64> = []
        return try records.enumerated().map { index, record in
            var request: ChangeRequest
            do { request = try self.request(record, line) } catch var error as ODataError {
                error.requestIndex = index
                throw error
            }
            guard records.count > 1 else { return request }
            // The first request of an entity makes its ETag another one: for later ones it need only be there.
            if !changed.insert(record.row).inserted, request.ifMatch != nil { request.ifMatch = "*" }
            request.contentID = "q\(record.id)"
            if record.operation.isCreation, try hasTemporaryKey(record) { line.made[record.row] = request.contentID }
            return request
        }
    }

    private func hasTemporaryKey(_ record: QueueRecord) throws -> Bool {
        let table = try offline.schema.table(named: record.set)
        return try RowLookup(db: db, table: table).state(of: record.row)?.contains(.temporaryKey) ?? false
    }

    private func request(_ record: QueueRecord, _ line: RequestLine) throws -> ChangeRequest {
        var request = ChangeRequest(try line.path(of: record), try operation(record, line))
        if case .replaceStream = request.operation, record.property == nil { request.target = request.target.resource }
        if record.operation == .call { request.resultOptions = try line.call(of: record).options }
        request.returnPreference =
            record.operation.hasPayload || record.operation == .createMedia ? .representation : nil
        request.headers = record.headers
        identify(&request, record)
        if record.mechanism == .conditional { createOnce(&request) }
        if line.made[record.row] == nil { try addConditions(to: &request, of: record) }
        return request
    }

    /// What the service recognises a repetition by.
    func identify(_ request: inout ChangeRequest, _ record: QueueRecord) {
        switch record.mechanism {
        case .repeatableRequests: request.repeatability = record.repeatability
        case .sapGateway: request.headers += record.repeatability.sapHeaders
        case .automatic, .clientKeys, .conditional, .some(.none), nil: break
        }
    }

    private func operation(_ record: QueueRecord, _ line: RequestLine) throws -> ChangeRequest.Operation {
        switch record.operation {
        case .create: .create(try payload(of: record, line))
        case .createMedia: .createMedia(try content(of: record), slug: record.slug)
        case .update: .update(try payload(of: record, line))
        case .replace: .replace(try payload(of: record, line))
        case .delete: .delete
        case .addReference: .addReference(try reference(of: record, line))
        case .removeReference:
            .removeReference(record.target == nil && record.targetURL == nil ? nil : try reference(of: record, line))
        case .replaceStream: .replaceStream(try content(of: record))
        case .deleteStream: .deleteStream
        case .call: .call(arguments: try line.arguments(of: record))
        }
    }

    /// - Throws: ``ODataError`` `notFound` if it refers to an entity by a temporary key that never became a real one.
    func payload(of record: QueueRecord, _ line: RequestLine) throws -> EntityPayload {
        let payload = try line.payload(of: record)
        let set = try offline.set(named: record.set)
        let type = line.entityType(of: payload, in: set)
        for navigation in type.navigationProperties where !navigation.constraints.isEmpty {
            guard let target = line.target(of: navigation, from: set, as: type),
                let key = line.key(of: target, by: navigation, in: payload), try line.isLost(key, of: target)
            else { continue }
            throw lost(target, record, navigation.constraints.map(\.property).joined(separator: ", "))
        }
        for binding in payload.bindings {
            for reference in binding.references { try check(reference, of: record, binding.navigation, line) }
        }
        return payload
    }

    private func check(_ reference: EntityReference, of record: QueueRecord, _ name: String, _ line: RequestLine) throws
    {
        guard case .path(let path) = reference, path.segments.count == 1, case .key(let key)? = path.segments.first,
            let set = path.rootSet, try line.isLost(key, of: set)
        else { return }
        throw lost(set, record, name)
    }

    /// - Parameter name: Where the request names the entity.
    private func lost(_ set: EdmEntitySet, _ record: QueueRecord, _ name: String) -> ODataError {
        ODataError(
            .notFound,
            """
            The request \(record.id) refers to an entity of \(set.name) that was created on this device, and the service has not returned its key: \
            a download will. Give the request another \(name), or undo it.
            """)
    }

    private func content(of record: QueueRecord) throws -> MediaContent {
        let type = record.contentType ?? "application/octet-stream"
        guard let digest = record.digest, let source = try? media.source(digest: digest) else {
            guard needsContent else { return MediaContent(ByteContent([]), contentType: type) }
            throw ODataError(
                .mediaNotInStore, "The stream of the queued request \(record.id) is not in the media folder.")
        }
        return MediaContent(ByteContent(source), contentType: type)
    }

    private func reference(of record: QueueRecord, _ line: RequestLine) throws -> EntityReference {
        if let target = record.target, let path = try line.entityPath(target) { return .path(path) }
        guard let url = record.targetURL else {
            throw ODataError(
                .notFound,
                """
                The entity that the request \(record.id) (\(record.method) \(record.url)) refers to is not in the store \
                any more: undo the request.
                """)
        }
        try check(line.resolved(.url(url)), of: record, record.property ?? "entity", line)
        return .url(url)
    }

    /// `PUT Orders(1)` with `If-None-Match: *` instead of `POST Orders`, where the key is known.
    private func createOnce(_ request: inout ChangeRequest) {
        guard case .create(let payload) = request.operation, request.target.segments.isEmpty,
            let set = request.target.entitySet, let key = EntityKey(of: set.type, in: payload.properties)
        else { return }
        request.target = ResourcePath(set, key: key)
        request.operation = .replace(payload)
        request.ifNoneMatch = "*"
        request.allowsCreate = true
    }

    /// `If-Match` with the ETag that the service gave last, and the links that it gave.
    private func addConditions(to request: inout ChangeRequest, of record: QueueRecord) throws {
        guard let table = offline.schema.tables[record.set],
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM \(table.sqlName) WHERE \(.id) = ?", arguments: [record.row])
        else { return }
        switch record.operation {
        case .update, .replace, .delete:
            request.ifMatch = EntityTag.checked(row[HiddenColumn.etag.name])
            request.editLink = row[HiddenColumn.editLink.name]
        case .replaceStream, .deleteStream:
            guard let stream = table.stream(of: record.property) else { return }
            let told = EntityTag.checked(row[stream.etag])
            request.ifMatch = try told ?? fetchedTag(of: stream, record, in: table)
            request.editLink = row[stream.editLink]
        case .create, .createMedia, .addReference, .removeReference, .call: break
        }
    }

    /// The ETag that was sent with the content, if the entity has none and the content is that of its version here. A
    /// weak one must not be a condition. [RFC 9110, section 13.1.1]
    private func fetchedTag(of stream: LocalStream, _ record: QueueRecord, in table: LocalTable) throws -> String? {
        try String.fetchOne(
            db,
            sql: """
                SELECT t."etag" FROM \(.streamTag) AS t JOIN \(table.sqlName) AS l ON l.\(.id) = t."row"
                WHERE t."row" = ? AND t."stream" = ? AND t."etag" LIKE '"%'
                AND l.\(quoted(stream.fetched)) = coalesce(l.\(quoted(stream.etag)), l.\(.etag), '')
                """, arguments: [record.row, stream.property ?? ""])
    }
}

extension RepeatabilityHeaders {
    /// The form that SAP Gateway requires: the id as 32 hexadecimal digits.
    fileprivate var sapHeaders: [HeaderField] {
        [
            HeaderField(name: "RequestID", value: requestID.replacing("-", with: "").uppercased()),
            HeaderField(name: "RepeatabilityCreation", value: firstSent),
        ]
    }
}
