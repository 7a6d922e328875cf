import Foundation
import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// A change whose stream, if it has one, is in the media folder already.
struct LocalChange {
    var request: ChangeRequest
    var media: StoredMedia?
    /// Properties for the entity of a new media stream, sent as a second request.
    var properties: EntityPayload?
    var options = RequestOptions()

    var contentType: String { request.stream?.contentType ?? "" }
}

/// What a local change led to, before the transaction is over.
struct LocalOutcome {
    var outcome: ChangeResult.Outcome
    var row: EntityRow?
    var path: ResourcePath?
    var entity: EdmEntity?
    var etag: String?
}
