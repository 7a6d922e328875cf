import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// A request that may belong to an upload in several requests: one with `Upload-Complete`, or to the
/// resource of such an upload.
///
/// [draft-ietf-httpbis-resumable-upload-12]
struct UploadRequest {
    /// `$uploads/4f2c…`: the resources of uploads, below the service root.
    static let prefix = "$uploads/"

    let service: ODataService
    let request: ServiceRequest

    /// Nil where the request is an ordinary one.
    func respond() async throws -> ServiceResponse? {
        do {
            if request.url.hasPrefix(Self.prefix) {
                guard let space = service.uploadSpace else { throw UploadResource.missing }
                let token = String(request.parts.path.dropFirst(Self.prefix.count))
                return try await UploadResource(service: service, request: request, space: space, token: token)
                    .respond()
            }
            guard let isComplete = UploadFields.isComplete(request.headers) else { return nil }
            return try await UploadBeginning(service: service, request: request, isComplete: isComplete).respond()
        } catch let problem as UploadProblem {
            return service.complete(problem.response, to: request.method, version: try service.version(of: request))
        }
    }
}

extension ODataService {
    /// Nil where uploads come whole.
    var uploadSpace: (any UploadSpace)? {
        guard configuration.allowsResumableUploads, !configuration.isReadOnly else { return nil }
        return (store as? any UploadKeepingStore)?.uploadSpace
    }
}

extension ServiceCall {
    /// Whether streams are sent to the resource.
    func takesUploads(_ kind: ResourceKind) -> Bool {
        switch kind {
        case .media, .stream: allowedMethods(kind).contains(.put)
        case .collection: isMediaCollection && allowedMethods(kind).contains(.post)
        default: false
        }
    }

    /// Whether the body of this very request is a stream: not the properties of a media entity.
    func bringsStream(_ kind: ResourceKind) -> Bool {
        switch kind {
        case .media, .stream: request.method == .put
        case .collection: request.method == .post && isMediaCollection && !hasEntityBody
        default: false
        }
    }

    private var isMediaCollection: Bool {
        guard case .query(let query) = resource else { return false }
        return query.path.entityType(in: model)?.hasStream == true
    }

    private var hasEntityBody: Bool {
        request.isV2 ? v2BodyFormat != nil : MediaType(headers[.contentType])?.isJSON == true
    }
}
