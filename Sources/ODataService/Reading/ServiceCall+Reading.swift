import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension ServiceCall {
    /// The read that the store is asked for. A URL with a token is a link that the store made: it is passed back
    /// unchanged.
    func readRequest(_ query: BoundQuery) -> ReadRequest {
        var query = query
        // The next link gets it anew.
        query.options.custom.removeAll { $0.name == PageSizeOption.name }
        var read = ReadRequest(query)
        read.scope = scope
        if query.options.skipToken != nil || query.options.deltaToken != nil {
            read.continuation =
                request.isV2 ? query.url : request.parts.text(without: ["$format", "$id", PageSizeOption.name])
        }
        read.maxPageSize = pageSize
        read.tracksChanges = preferences.tracksChanges
        read.annotations = preferences.annotations
        read.expandedStreamSize = service.configuration.limits.expandedStreamSize
        read.ifMatch = headers[.ifMatch]
        read.ifNoneMatch = headers[.ifNoneMatch]
        return read
    }

    /// The page size that the client prefers now, else the one that it preferred on the first page.
    var pageSize: Int? {
        let wish = preferences.maxPageSize ?? PageSizeOption.size(in: request.parts)
        guard let most = service.configuration.limits.pageSize else { return wish }
        return min(wish ?? most, most)
    }

    /// Whether pages have the size that the client prefers.
    var isPageSizeApplied: Bool { preferences.maxPageSize.map { $0 == pageSize } ?? false }

    /// The link of a result as the client gets it: absolute, with the page size for what follows.
    func link(_ link: String) -> String {
        request.isV2 ? v2Link(link) : root.absolute(PageSizeOption.carried(by: link, pageSize))
    }

    /// How entities are written: with ids where a client cannot make them from the keys it gets.
    func writerOptions(
        _ format: ResponseFormat, contextURL: String, shape: RowShape? = nil, isDelta: Bool = false
    ) -> JSONWriterOptions {
        var options = JSONWriterOptions()
        options.serviceRoot = root.url
        options.contextURL = format.metadata == .none ? nil : contextURL
        options.ieee754Compatible = format.isIEEE754Compatible
        options.isDelta = isDelta
        options.omission = isDelta ? nil : preferences.omission
        // Names without `odata.` are for clients that show twice that they know them.
        options.usesShortNames = version == .v401 && format.isShort && headers[.oDataMaxVersion] != nil
        options.exponentialDecimals = format.exponentialDecimals
        options.isEditable = !service.configuration.isReadOnly
        options.removal = version == .v4 ? .deletedEntity : .removed
        options.writesIDs = format.metadata != .none && shape?.hidesKeys == true
        options.writesAbsoluteLinks = format.metadata == .full
        options.metadata =
            switch format.metadata {
            case .none: .none
            case .minimal: .minimal
            case .full: .full
            }
        return options
    }
}

extension RowShape {
    /// Whether key properties are left out of the result, here or in what is expanded.
    fileprivate var hidesKeys: Bool {
        hiddenFrom < properties.count || children.contains { !$0.isReference && $0.shape.hidesKeys }
    }
}

extension ServiceResponse {
    /// 304 with the ETag that still holds.
    static func notModified(etag: String?) -> ServiceResponse {
        ServiceResponse(.notModified, headers: etag.map { [.eTag: $0] } ?? [:])
    }
}
