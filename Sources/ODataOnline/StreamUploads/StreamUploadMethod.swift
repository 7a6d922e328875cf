import ODataModel
import ODataQuery
import ODataStores

/// How an ``OnlineStore`` uploads streams.
public struct StreamUploadMethod: Sendable {
    private let make: @Sendable (OnlineStore, ChangeRequest) -> (any UploadMethod)?

    /// One PUT or POST of the whole stream.
    public static let plain = StreamUploadMethod { _, _ in nil }

    /// draft-ietf-httpbis-resumable-upload, revision 12.
    public static let resumable = StreamUploadMethod { store, _ in ResumableUpload(store: store) }

    /// tus 1.0, with its extensions *creation* and *termination*.
    ///
    /// - Parameter endpoint: Where uploads are created, absolute or relative to the service root; nil: where the stream
    ///   would be sent whole. It receives what the stream belongs to: `path`, `filename` and `filetype` in
    ///   `Upload-Metadata`.
    public static func tus(endpoint: String? = nil) -> StreamUploadMethod {
        StreamUploadMethod { store, _ in TusUpload(store: store, endpoint: endpoint) }
    }

    /// File columns of Dataverse, in chunks. The app names the file with the header `x-ms-file-name` of the change. New
    /// media entities are sent whole.
    public static let dataverse = StreamUploadMethod { store, request in
        request.operation.isReplacement ? DataverseUpload(store: store) : nil
    }

    /// Upload sessions of Microsoft Graph, for stream properties of entities that are there: `drives/…/items/…/content`.
    /// New media entities are sent whole.
    public static let graph = StreamUploadMethod { store, request in
        request.operation.isReplacement ? GraphUpload(store: store) : nil
    }

    /// A method of the app's own.
    public static func method(_ method: any UploadMethod) -> StreamUploadMethod {
        StreamUploadMethod { _, _ in method }
    }

    init(_ make: @escaping @Sendable (OnlineStore, ChangeRequest) -> (any UploadMethod)?) { self.make = make }

    /// The one with this name in metadata; nil if it is not known.
    init?(named name: String) {
        switch name {
        case ResumableUpload.name: self = .resumable
        case TusUpload.name: self = .tus()
        case DataverseUpload.name: self = .dataverse
        case GraphUpload.name: self = .graph
        default: return nil
        }
    }

    func method(of store: OnlineStore, for request: ChangeRequest) -> (any UploadMethod)? { make(store, request) }
}

extension ChangeRequest {
    /// Nil for the stream of a media entity.
    fileprivate var streamProperty: EdmProperty? {
        if case .stream(let property) = target.target { property } else { nil }
    }

    /// What its stream is called, the closest name first: `Employees/Photo`, `Employees`
    fileprivate var streamNames: [String] {
        let set = target.entitySet?.name ?? ""
        return (streamProperty.map { ["\(set)/\($0.name)"] } ?? []) + [set]
    }
}

extension ChangeRequest.Operation {
    fileprivate var isReplacement: Bool { if case .replaceStream = self { true } else { false } }
}

extension OnlineStore: UploadingStore {
    /// The method that ``Configuration/uploadMethods`` or the metadata name, for streams of
    /// ``Configuration/resumableSize`` and more; nil where the service did not know it while this store was there.
    public func uploadMethod(for request: ChangeRequest, length: Int64) async throws -> (any UploadMethod)? {
        // An empty stream has no piece that a method could name.
        guard length > 0, length >= configuration.resumableSize, let method = try await chosenMethod(for: request)
        else { return nil }
        return service.traits.isUnsupported(place(of: method.name, for: request)) ? nil : method
    }

    public func noteUnsupported(_ name: String, for request: ChangeRequest) async {
        service.traits.noteUnsupported(place(of: name, for: request))
    }

    private func place(of method: String, for request: ChangeRequest) -> ServiceTraits.UploadPlace {
        .init(method: method, resource: request.streamNames.first ?? "")
    }

    public func uploadMethod(named name: String, for request: ChangeRequest) async throws -> (any UploadMethod)? {
        if let method = try await chosenMethod(for: request), method.name == name { return method }
        return StreamUploadMethod(named: name)?.method(of: self, for: request)
    }

    private func chosenMethod(for request: ChangeRequest) async throws -> (any UploadMethod)? {
        let choices = request.streamNames.lazy.compactMap { self.configuration.uploadMethods[$0] }
        if let choice = choices.first { return choice.method(of: self, for: request) }
        let model = try await metadata().model
        let told =
            request.streamProperty?.annotation(EdmAnnotation.uploadMethod)
            ?? request.target.entitySet?.annotation(EdmAnnotation.uploadMethod)
            ?? model.schemas.flatMap(\.containerAnnotations).first { $0.term == EdmAnnotation.uploadMethod }?.value
        return told?.string.flatMap(StreamUploadMethod.init(named:))?.method(of: self, for: request)
    }
}
