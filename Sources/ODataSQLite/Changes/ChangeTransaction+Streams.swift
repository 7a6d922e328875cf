import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// `POST Photos` with the bytes of a stream. Columns that must have a value and have no default get an empty
    /// one of their type, for the PATCH with the properties comes after; a key of one text column is the slug; but
    /// a foreign key cannot be made up.
    ///
    /// [OData-Protocol, section 11.4.7.1]
    func createMedia(_ upload: StreamUpload?, slug: String?, _ request: ChangeRequest) throws -> ChangeResult {
        let (table, membership) = try collection(request.target)
        guard let media = table.media, let upload else {
            throw ODataError(.unsupportedMediaType, "\(table.set) holds no media entities.")
        }
        var assignments = membership.columns
        if let declared = table.declared {
            let type = try newType(EntityPayload(), of: table, declared, path: membership.type)
            try self.assignments(of: table, declared, type: type, mode: .create)
                .complete(&assignments, media: facts(upload, request, slug: slug), isFilled: true)
        } else {
            try fillRequired(&assignments, of: table, slug: slug)
        }
        assignments[media.column] = try initial(upload, in: table)
        describe(upload, request, slug: slug, as: media, of: table, in: &assignments)
        let row = try insertRow(assignments, into: table)
        try write(upload, request.declaredType, to: media, of: table, at: row)
        let located = LocatedEntity(table: table, row: row)
        if let (relation, parent) = membership.link { try link(parent, relation, to: located) }
        return try result(.created, located, request)
    }

    private func facts(_ upload: StreamUpload, _ request: ChangeRequest, slug: String?)
        -> DeclaredAssignments.MediaFacts
    {
        .init(length: upload.length, type: request.mediaType, slug: slug)
    }

    /// What the properties of a media entity tell of its stream.
    private func describe(_ upload: StreamUpload, _ request: ChangeRequest, in table: PublishedTable)
        throws -> ColumnAssignments
    {
        var assignments = ColumnAssignments()
        for column in table.columns {
            switch (column.computed, request.mediaType) {
            case (.mediaLength, _): assignments[column.name] = .value(upload.length.databaseValue)
            case (.mediaType, let type?): assignments[column.name] = .value(type.databaseValue)
            default: break
            }
        }
        return assignments
    }

    /// Fills the columns for the type and the name of a stream. A type that says nothing leaves the first bytes to tell it.
    private func describe(
        _ upload: StreamUpload, _ request: ChangeRequest, slug: String? = nil, as stream: PublishedStream,
        of table: PublishedTable, in assignments: inout ColumnAssignments
    ) {
        if let name = stream.typeColumn {
            let unknown: DatabaseValue = table.requires(name) ? MediaTypeSniffer.unknown.databaseValue : .null
            assignments[name] = .value(request.declaredType.map(\.databaseValue) ?? unknown)
        }
        if let name = stream.nameColumn, let file = slug?.fileName { assignments[name] = .value(file.databaseValue) }
    }

    /// `PUT Photos(1)/$value`, `PUT Employees(1)/Photo`
    ///
    /// [OData-Protocol, sections 11.4.7.2 and 11.4.8.1]
    func replaceStream(_ upload: StreamUpload?, _ request: ChangeRequest) throws -> ChangeResult {
        guard let upload else { throw ODataError(.badRequest, "The request has no stream.") }
        let (located, stream) = try checkStreamTarget(request)
        try requireWritable(located.table, for: .update)
        var assignments =
            stream.property == nil ? try describe(upload, request, in: located.table) : ColumnAssignments()
        assignments[stream.column] = try initial(upload, in: located.table)
        describe(upload, request, as: stream, of: located.table, in: &assignments)
        try set(assignments, at: located)
        try write(upload, request.declaredType, to: stream, of: located.table, at: located.row)
        return try streamResult(stream, of: located, request)
    }

    /// The stream that is to be changed, which must be what the request's conditions say.
    func checkStreamTarget(_ request: ChangeRequest) throws -> (LocatedEntity, PublishedStream) {
        let located = try require(request.target)
        let stream = try stream(request.target, of: located.table)
        try checkStream(stream, of: located, request)
        return (located, stream)
    }

    /// `DELETE Employees(1)/Photo` sets null; `DELETE Photos(1)/$value` deletes the media entity.
    func deleteStream(_ request: ChangeRequest) throws -> ChangeResult {
        let (located, stream) = try checkStreamTarget(request)
        guard stream.property != nil else {
            var request = request
            (request.ifMatch, request.ifNoneMatch) = (nil, nil)
            return try delete(request)
        }
        var assignments = ColumnAssignments()
        assignments[stream.column] = .value(.null)
        try set(assignments, at: located)
        try StreamVersions.renew(stream, of: located.table, at: located.row, in: db)
        return try streamResult(stream, of: located, request)
    }

    private func stream(_ path: ResourcePath, of table: PublishedTable) throws -> PublishedStream {
        let stream: PublishedStream? =
            if case .stream(let property) = path.target { table.stream(ofProperty: property.name) } else { table.media }
        guard let stream else { throw ODataError(.notFound, "\(table.set) has no such stream.") }
        return stream
    }

    /// A condition may name the ETag of the stream or of the entity.
    private func checkStream(_ stream: PublishedStream, of located: LocatedEntity, _ request: ChangeRequest) throws {
        let own = try streamETag(stream, of: located)
        if let header = request.ifMatch,
            !Precondition.matches(header, try etags(of: located) + [own].compactMap(\.self))
        {
            throw ODataError(.preconditionFailed, "The stream has changed: its ETag is not \(header).")
        }
        try Precondition(ifMatch: nil, ifNoneMatch: request.ifNoneMatch).check([own].compactMap(\.self))
    }

    private func streamETag(_ stream: PublishedStream, of located: LocatedEntity) throws -> String? {
        let source = schema.rowSources[located.table.set]
        let mapping = stream.property.map { source?.streams[$0] } ?? source?.media
        return try access.text(mapping?.etag, of: located.row, in: located.table)
    }

    private func streamResult(_ stream: PublishedStream, of located: LocatedEntity, _ request: ChangeRequest) throws
        -> ChangeResult
    {
        var result = try result(.updated, located, request)
        result.etag = try streamETag(stream, of: located)
        return result
    }

    /// What the column is set to: the reference to a file, or what is there before the BLOB is written in pieces. Tables
    /// without a rowid take it whole.
    private func initial(_ upload: StreamUpload, in table: PublishedTable) throws -> ColumnAssignments.Assigned {
        switch upload {
        case .kept(let reference): .value(reference.record.databaseValue)
        case .spooled(let upload) where table.rowID == nil: .value(try upload.bytes().databaseValue)
        case .spooled(let upload): .zeroes(upload.length)
        }
    }

    private func write(
        _ upload: StreamUpload, _ type: String?, to stream: PublishedStream, of table: PublishedTable,
        at row: RowReference
    ) throws {
        if case .spooled(let upload) = upload, let rowID = row.rowID, upload.length > 0 {
            let blob = try BlobHandle(
                table: table.name, column: stream.column, rowID: rowID, isWritable: true, in: db)
            try upload.forEachPiece { piece, offset in try blob.write(piece, at: offset) }
        }
        try StreamVersions.renew(
            stream, of: table, at: row, type: stream.contentType == nil ? type : nil, in: db)
    }

    private func fillRequired(_ assignments: inout ColumnAssignments, of table: PublishedTable, slug: String?) throws {
        let foreign = Set(table.description.foreignKeys.flatMap(\.columns).map { $0.lowercased() })
        var missing: [String] = []
        for column in table.columns where column.isRequired && !assignments.has(column.name) {
            if column.isKey {
                guard table.key.count == 1, let value = column.keyValue(slug: slug, newGuid: access.newGuid)
                else {
                    missing.append(column.property)
                    continue
                }
                assignments[column.name] = .value(value)
            } else if foreign.contains(column.name.lowercased()) {
                missing.append(column.property)
            } else {
                assignments[column.name] = .value(try column.emptyValue())
            }
        }
        guard missing.isEmpty else {
            throw ODataError(
                .badRequest,
                "A stream alone does not make an entity of \(table.set): \(missing.joined(separator: ", ")) must have a value."
            )
        }
    }
}

extension ChangeRequest {
    /// The media type that was sent with a stream.
    fileprivate var mediaType: String? {
        switch operation {
        case .createMedia(let media, _), .replaceStream(let media): media.contentType.isEmpty ? nil : media.contentType
        default: nil
        }
    }

    /// The media type that was sent with a stream, if it is specific.
    fileprivate var declaredType: String? {
        switch operation {
        case .createMedia(let media, _), .replaceStream(let media):
            let type = media.contentType.lowercased()
            return type.isEmpty || type.hasPrefix("application/octet-stream") ? nil : media.contentType
        default: return nil
        }
    }
}

extension PublishedTable {
    fileprivate func requires(_ column: String) -> Bool { self.column(named: column)?.description.isNotNull == true }
}

extension PublishedColumn {
    /// Whether an insert must name the column.
    fileprivate var isRequired: Bool {
        (description.isNotNull || isKey) && description.defaultSQL == nil && !isServiceMade && !description.isGenerated
    }

    fileprivate func keyValue(slug: String?, newGuid: () -> EdmGuid) -> DatabaseValue? {
        if type == .guid { return try? stored(.guid(newGuid())) }
        return slug.flatMap { slug in type == .string ? try? stored(.string(slug)) : nil }
    }

    /// Zero, `''`, false, 1970-01-01.
    fileprivate func emptyValue() throws -> DatabaseValue {
        let day = EdmDate(daysSinceEpoch: 0)
        let value: EdmValue =
            switch type {
            case .string: .string("")
            case .boolean: .boolean(false)
            case .guid: .guid(EdmGuid(high: 0, low: 0))
            case .date: .date(day)
            case .dateTimeOffset: .dateTimeOffset(EdmDateTimeOffset(date: day, time: .midnight))
            case .timeOfDay: .timeOfDay(.midnight)
            default: .integer(0)
            }
        return try stored(value)
    }
}
