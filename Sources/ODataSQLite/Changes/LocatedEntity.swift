import ODataModel

/// A row with the table it is in.
struct LocatedEntity: Sendable {
    var table: PublishedTable
    var row: RowReference
}
