import GRDB
import ODataModel

/// An entry of the error archive: a request that the service refused or that cannot be sent as it is, and why. A request
/// that is unconfirmed stays so beside its entry.
public struct ErrorEntry: Hashable, Sendable, Identifiable {
    public var id: Int64
    /// The request's ``QueueEntry/id``.
    public var requestID: Int64
    /// The app's names of the request and of its group.
    public var tag: String?
    /// See ``RequestOptions/category``; nil if the app has not set one.
    public var category: String?
    /// Entries with the same number belong to one change set and are repaired together.
    public var changeSet: Int64?
    /// The HTTP status, if the service returned one.
    public var status: Int?
    /// The code of the service's error object; where there is none, the name of the ``ODataError/Code``.
    public var code: String
    /// The message of the service's error object, or else of the store.
    public var message: String
    /// The property or parameter in error, as the service names it.
    public var target: String?
    /// Further details of the service's error.
    public var details: [ServiceError.Detail]
    /// JSON text.
    public var innerError: String?
    /// The HTTP method of the request: `PATCH`
    public var method: String
    /// The request URL, relative to the service root: `Orders(1)`
    public var url: String
    /// The body as JSON text; nil for requests without one, and for streams.
    public var body: String?
    /// The entity the request changes, relative to the service root.
    public var entity: String?
    /// In UTC: `2024-01-02T03:04:05`
    public var occurred: String

    init(row: Row) {
        id = row["id"]
        requestID = row["entry"]
        tag = row["tag"]
        category = row["category"]
        changeSet = row["changeSet"]
        status = row["status"]
        code = row["code"]
        message = row["message"]
        target = row["target"]
        details = ServiceError.Detail.all(in: row["details"])
        innerError = row["innerError"]
        method = row["method"]
        url = row["url"]
        body = row["body"]
        entity = row["entity"]
        occurred = row["occurred"]
    }
}
