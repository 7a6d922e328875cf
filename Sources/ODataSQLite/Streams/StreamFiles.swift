import ByteStreams
import Foundation
import GRDB
import MediaFiles
import ODataSQL
import ODataStores
import SQLiteEncryption
import Synchronization

/// The streams of a database that are files in its media folder, and which of the files are needed.
///
/// A file exists before a row refers to it, and is removed when no row does. Leftovers of a crash are removed when the
/// database is opened the next time.
final class StreamFiles: Sendable {
    /// Each group requires a scan of all rows.
    private static let sweptAtOnce = 500

    private let mark: StreamMark
    /// Nil for a database that had a media folder and is opened without it.
    private let folder: MediaFolder?
    /// The identity of the folder, independent of its name.
    private let identity: FileState.Identity?
    /// The identity of the file that marks the folder's owner: emptying the folder removes it too.
    private let owner: FileState.Identity?
    private let state: Mutex<State>

    private struct State {
        /// The columns that may contain references.
        var columns: Set<StreamColumn>
        /// Nil for a read-only store and after closing.
        var claim: FolderClaim?
        /// The number of uploads of each digest that are not in a row yet.
        var held: [String: Int] = [:]
        /// Streams that may no longer be needed.
        var released: Set<StreamReference> = []
    }

    init(mark: StreamMark, folder: MediaFolder?, claim: FolderClaim?, columns: Set<StreamColumn>) {
        self.mark = mark
        self.folder = folder
        identity = folder.flatMap { FileState(path: $0.path)?.identity }
        owner = folder.flatMap { FileState(path: $0.ownerPath)?.identity }
        state = Mutex(State(columns: columns, claim: claim))
    }

    /// Whether new streams become files.
    var takesStreams: Bool { state.withLock { $0.claim != nil } }

    /// - Throws: ``ReplacedFile`` if another folder has replaced the opened one, or if that was emptied.
    func check() throws {
        guard let folder, let identity else { return }
        let found = FileState(path: folder.path)?.identity
        guard found == identity else { throw ReplacedFile(folder.path, found == nil ? .gone : .replaced) }
        guard FileState(path: folder.ownerPath)?.identity == owner else { throw ReplacedFile(folder.path, .replaced) }
    }

    /// Makes the writing connection record the references that rows of `schema` lose.
    func watch(_ schema: PublishedSchema, in db: Database) throws {
        guard takesStreams else { return }
        try Self.makeTriggers(schema, mark, in: db)
        state.withLock { $0.columns.formUnion(StreamColumn.all(of: schema)) }
    }

    /// Releases the folder for another store.
    func close() { state.withLock { $0.claim = nil } }

    /// Receives a stream into a file, which is kept until ``release(_:haveRows:)``.
    func receive(_ content: ByteContent, upTo limit: Int64) async throws -> StreamReference {
        guard let folder else { throw ODataError(.internalError, "There is no media folder.") }
        let incoming = try await folder.receive(content, upTo: limit)
        let reference = StreamReference(incoming, mark: mark)
        // Before the file gets its name, so that it is not removed from now on.
        state.withLock { $0.held[reference.media.digest, default: 0] += 1 }
        do { try folder.keep(incoming) } catch {
            release([reference])
            throw error
        }
        return reference
    }

    /// Releases streams that are now in rows, or will not be.
    ///
    /// - Parameter haveRows: Whether each was written into a row; triggers have recorded those that no longer are.
    func release(_ references: [StreamReference], haveRows: Bool = false) {
        state.withLock { state in
            for reference in references {
                let digest = reference.media.digest
                let count = (state.held[digest] ?? 0) - 1
                state.held[digest] = count > 0 ? count : nil
                if !haveRows { state.released.insert(reference) }
            }
        }
    }

    /// Whether there is something to ``sweep(in:)``.
    var hasReleased: Bool { state.withLock { !$0.released.isEmpty } }
}

extension StreamFiles {
    /// An SQL condition: whether the value of a column is a reference.
    func condition(_ column: String) -> String { mark.condition(column) }

    func reference(in record: Data) -> StreamReference? { StreamReference(record: record, mark: mark) }

    /// The bytes of a stream, from an open file.
    ///
    /// - Throws: ``MissingStream`` if there is no such file.
    func content(_ reference: StreamReference, _ range: StreamRange) throws -> ByteContent {
        guard let folder else {
            throw ODataError(.internalError, "The stream is in a media folder that the store was opened without.")
        }
        do {
            let source = try folder.source(digest: reference.media.digest)
            guard source.length == reference.media.length else {
                throw ODataError(.internalError, "The file of the stream is damaged.")
            }
            let part = try SliceSource(source, range: range.offset..<range.offset + range.count)
            return ByteContent(try part.open(at: 0), length: range.count)
        } catch let error as ByteStreamError where error.code == .notFound {
            throw MissingStream(reference: reference)
        }
    }

    /// Records the references that the transaction has removed from rows. Called at its end.
    func collectReleased(in db: Database) throws {
        guard takesStreams else { return }
        let records = try Data.fetchAll(db, sql: "SELECT record FROM \(Bookkeeping.released)")
        guard !records.isEmpty else { return }
        try db.execute(sql: "DELETE FROM \(Bookkeeping.released)")
        state.withLock { $0.released.formUnion(records.compactMap(reference(in:))) }
    }

    /// Removes the files of streams without a row or an upload. Called in a write transaction, so that no row gets one
    /// meanwhile.
    func sweep(in db: Database) throws {
        guard let folder else { return }
        var rest = state.withLock { $0.released }.map { (reference: $0, record: $0.record) }[...]
        while !rest.isEmpty {
            let group = rest.prefix(Self.sweptAtOnce)
            rest = rest.dropFirst(group.count)
            var needed: Set<Data> = []
            for column in state.withLock({ $0.columns }) {
                needed.formUnion(try column.references(among: group.map(\.record), in: db))
            }
            for (reference, record) in group {
                let isNeeded = needed.contains(record)
                try state.withLock { state in
                    let digest = reference.media.digest
                    // A held one is checked again later: its upload may not get a row, or may have lost it.
                    guard isNeeded || state.held[digest] == nil else { return }
                    if !isNeeded { try folder.remove(digest: digest) }
                    state.released.remove(reference)
                }
            }
        }
    }
}

/// A row refers to a missing file: the stream was replaced since the row was read, or the file is lost.
struct MissingStream: Error {
    let reference: StreamReference

    /// The error if the row still refers to it.
    var failure: ODataError {
        ODataError(.internalError, "The file of the stream is not in the media folder.")
    }
}

/// A column that may refer to streams in files.
struct StreamColumn: Hashable, Sendable {
    let table: String
    let name: String

    /// Those of all streams that are published.
    static func all(of schema: PublishedSchema) -> [StreamColumn] {
        schema.tables.values.flatMap { table in
            table.allStreams.map { StreamColumn(table: table.name, name: $0.column) }
        }
    }

    /// Which of the references it has.
    fileprivate func references(among records: [Data], in db: Database) throws -> Set<Data> {
        let column = quoted(name)
        let lengths = "\(StreamReference.minimalLength) AND \(StreamReference.maximalLength)"
        let marks = Array(repeating: "?", count: records.count).joined(separator: ", ")
        let sql = """
            SELECT DISTINCT \(column) FROM \(quoted(table)) WHERE CASE WHEN typeof(\(column)) = 'blob' \
            AND length(\(column)) BETWEEN \(lengths) THEN \(column) IN (\(marks)) ELSE 0 END
            """
        return try Set(Data.fetchAll(db, sql: sql, arguments: StatementArguments(records)))
    }
}
