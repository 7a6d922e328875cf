import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataStores

extension DirectChangeExecutor {
    func stream(_ property: String?, of row: LocatedEntity) throws -> PublishedStream {
        guard let stream = property.map({ row.table.stream(ofProperty: $0) }) ?? row.table.media else {
            throw try ODataError.noStream(of: rows.path(of: row).url)
        }
        return stream
    }

    func replaceStream(_ stream: PublishedStream, of row: LocatedEntity) throws {
        guard let media else { throw ODataError.missingContent }
        var columns = ColumnAssignments()
        for column in row.table.columns where stream.property == nil {
            switch (column.computed, media.type) {
            case (.mediaLength, _): columns[column.name] = .value(media.upload.length.databaseValue)
            case (.mediaType, let type?): columns[column.name] = .value(type.databaseValue)
            default: break
            }
        }
        columns[stream.column] = try initial(media.upload, in: row.table)
        describe(media, as: stream, of: row.table, in: &columns)
        try set(columns, of: row)
        try write(to: stream, of: row)
    }

    func deleteStream(_ stream: PublishedStream, of row: LocatedEntity) throws {
        var columns = ColumnAssignments()
        columns[stream.column] = .value(.null)
        try set(columns, of: row)
        try StreamVersions.renew(stream, of: row.table, at: row.row, in: db)
    }

    /// The columns of a new media entity. Columns that must have a value and have no default get an empty one of their
    /// type, because the PATCH with the properties follows; a key of one text column is the slug; but a foreign key
    /// cannot be made up.
    func prepareStream(_ columns: inout ColumnAssignments, of table: PublishedTable) throws {
        guard let stream = table.media, let media else {
            throw ODataError.missingContent
        }
        if table.declared == nil { try fillRequired(&columns, of: table, slug: media.slug) }
        columns[stream.column] = try initial(media.upload, in: table)
        describe(media, as: stream, of: table, in: &columns)
    }

    /// Fills the columns for the type and the name of a stream. Without a specific type the first bytes tell it.
    private func describe(
        _ media: ReceivedMedia, as stream: PublishedStream, of table: PublishedTable,
        in columns: inout ColumnAssignments
    ) {
        if let name = stream.typeColumn {
            let isRequired = table.column(named: name)?.description.isNotNull == true
            let unknown: DatabaseValue = isRequired ? MediaTypeSniffer.unknown.databaseValue : .null
            columns[name] = .value(media.specificType.map(\.databaseValue) ?? unknown)
        }
        if let name = stream.nameColumn, let file = media.slug?.fileName { columns[name] = .value(file.databaseValue) }
    }

    /// What the column is set to: the reference to a file, or what is there before the BLOB is written in pieces. Tables
    /// without a rowid get all of it.
    private func initial(_ upload: StreamUpload, in table: PublishedTable) throws -> ColumnAssignments.Assigned {
        switch upload {
        case .kept(let reference): .value(reference.record.databaseValue)
        case .spooled(let upload) where table.rowID == nil: .value(try upload.bytes().databaseValue)
        case .spooled(let upload): .zeroes(upload.length)
        }
    }

    func write(to stream: PublishedStream, of row: LocatedEntity) throws {
        if case .spooled(let upload)? = media?.upload, let rowID = row.row.rowID, upload.length > 0 {
            let blob = try BlobHandle(
                table: row.table.name, column: stream.column, rowID: rowID, isWritable: true, in: db)
            try upload.forEachPiece { piece, offset in try blob.write(piece, at: offset) }
        }
        try StreamVersions.renew(
            stream, of: row.table, at: row.row, type: stream.contentType == nil ? media?.specificType : nil, in: db)
    }

    private func fillRequired(_ columns: inout ColumnAssignments, of table: PublishedTable, slug: String?) throws {
        let foreign = Set(table.description.foreignKeys.flatMap(\.columns).map { $0.lowercased() })
        var missing: [String] = []
        for column in table.columns where column.isRequired && !columns.has(column.name) {
            let value: EdmValue? =
                if column.isKey {
                    table.key.count == 1 ? column.newKey(slug: slug, newGuid: access.newGuid) : nil
                } else {
                    foreign.contains(column.name.lowercased()) ? nil : column.type.emptyValue ?? .integer(0)
                }
            if let value {
                columns[column.name] = .value(try column.stored(value))
            } else {
                missing.append(column.property)
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

extension PublishedColumn {
    /// Whether an insert must name the column.
    fileprivate var isRequired: Bool {
        (description.isNotNull || isKey) && description.defaultSQL == nil && !isServiceMade && !description.isGenerated
    }

    fileprivate func newKey(slug: String?, newGuid: () -> EdmGuid) -> EdmValue? {
        if type == .guid { return .guid(newGuid()) }
        return type == .string ? slug.map(EdmValue.string) : nil
    }
}
