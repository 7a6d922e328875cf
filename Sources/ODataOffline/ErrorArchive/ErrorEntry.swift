import GRDB
import ODataModel

/// An entry of the error archive: a request that the service refused or that cannot be sent as it is, and why. A request
/// that is unconfirmed stays so beside its entry.
public struct ErrorEntry: Hashable, Sendable, Identifiable {
    public var id: Int64
    /// The request's ``QueueEntry/id``.
    public var requestID: Int64
    /// What the app calls the request, and the group of requests it belongs to.
    public var tag: String?
    /// See ``RequestOptions/category``; nil where the app gave none.
    public var category: String?
    /// Entries with the same number are of one change set: what is done about one is done about all.
    public var changeSet: Int64?
    /// The HTTP status, if the service answered with one.
    public var status: Int?
    /// The code of the service's error object; where there is none, the name of the ``ODataError/Code``.
    public var code: String
    /// What the service's error object says; where there is none, what the store says.
    public var message: String
    /// The property or parameter at fault, as the service names it.
    public var target: String?
    /// What else the service says was wrong.
    public var details: [ServiceError.Detail]
    /// JSON text.
    public var innerError: String?
    /// The HTTP method of the request: `PATCH`
    public var method: String
    /// The URL it was sent to or would have been, relative to the service root: `Orders(1)`
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
