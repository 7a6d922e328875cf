import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataStores

/// Binds columns of a node's table to the slots of rows: what statements for every row of a page have in common.
struct RowColumns {
    /// A received property, as plain values without reference counting.
    private struct Bound {
        var slot: Int32
        var form: BulkForm
        var isKey: Bool
    }

    let columns: [LocalColumn]
    private let bound: [Bound]
    private let set: String

    init(_ columns: [LocalColumn], of table: LocalTable, shape: RowShape) {
        self.columns = columns.filter { shape.slot(of: $0.property.name) != nil }
        bound = self.columns.map { column in
            Bound(
                slot: Int32(shape.slot(of: column.property.name) ?? 0), form: BulkForm(column.codec),
                isKey: column.isKey)
        }
        set = table.set.name
    }

    func bind(
        _ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, to statement: borrowing BulkStatement,
        from index: inout Int32
    ) throws {
        for position in bound.indices {
            let bound = bound[position]
            let value = block.slots[Int(header.firstSlot + bound.slot)]
            let fits = try statement.bind(index, value, base: base, form: bound.form)
            let isMissing = bound.isKey && (value.kind == .absent || value.kind == .null)
            guard fits, !isMissing else { throw misfit(columns[position], isMissing: isMissing) }
            index += 1
        }
    }

    private func misfit(_ column: LocalColumn, isMissing: Bool) -> ODataError {
        let reason =
            isMissing
            ? "without the key property \(column.property.name)"
            : "whose \(column.property.name) is not an \(column.property.type)"
        return ODataError(.invalidResponse, "The service sent an entity of \(set) \(reason).")
    }
}

/// Binds columns that are not properties: ETag, streams, the containing entity, the type's name, dynamic properties.
struct RowControl {
    private let streams: [LocalStream]
    private let typeNames: [String?]
    private let dynamicSlot: Int?
    private let hasType: Bool
    private let hasDynamic: Bool
    /// `$etag`, then the columns of the requested streams.
    let service: [String]
    /// `$edit`, `$type`, `$dynamic`
    let hidden: [String]

    init(of node: QueryNode, shape: RowShape) {
        streams = node.asked.streams
        service = node.asked.control
        hidden = node.asked.hidden
        hasType = hidden.contains(HiddenColumn.type.name)
        hasDynamic = hidden.contains(HiddenColumn.dynamic.name)
        dynamicSlot = shape.dynamicSlot
        typeNames = shape.types.map { $0.name == node.table.set.type.name ? nil : "\($0.name)" }
    }

    func bindService(
        _ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, to statement: borrowing BulkStatement,
        from index: inout Int32
    ) throws {
        try statement.bind(index, header.etag, base: base)
        index += 1
        guard !streams.isEmpty else { return }
        let media = header.media > 0 ? block.media[Int(header.media) - 1] : nil
        for stream in streams {
            let info = stream.property.map { media?.properties[$0] } ?? media?.entity
            for value in [info?.contentType, info?.etag, info?.readLink, info?.editLink] {
                try statement.bind(index, text: value)
                index += 1
            }
        }
    }

    /// Nil for the set's own type.
    func typeName(of header: RowHeader) -> String? {
        typeNames.indices.contains(Int(header.type)) ? typeNames[Int(header.type)] : nil
    }

    func bindHidden(
        _ header: RowHeader, of block: RowBlock, base: UnsafePointer<UInt8>, to statement: borrowing BulkStatement,
        from index: inout Int32
    ) throws {
        try statement.bind(index, header.editLink, base: base)
        index += 1
        if hasType {
            try statement.bind(index, text: typeName(of: header))
            index += 1
        }
        guard hasDynamic else { return }
        let slot = dynamicSlot.map { block.slots[Int(header.firstSlot) + $0] } ?? .absent
        try statement.bind(index, slot.kind == .json ? slot.span : .none, base: base)
        index += 1
    }
}
