import ODataModel

/// A row with the table it lies in.
struct LocatedEntity: Sendable {
    var table: PublishedTable
    var row: RowReference
}
