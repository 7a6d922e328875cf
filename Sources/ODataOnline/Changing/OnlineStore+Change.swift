import ByteStreams
import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension OnlineStore {
    /// Sends one change.
    ///
    /// An error has ``ODataError/isOutcomeUnknown`` set where the service may have acted: the connection
    /// ended after the request was sent, or the response was none of OData's.
    ///
    /// An update that removes the link of a single-valued navigation property is `DELETE Products(1)/Category/$ref`;
    /// together with other changes they are a change set.
    ///
    /// [OData-Protocol, section 11.4]
    public func change(_ request: ChangeRequest) async throws -> ChangeResult {
        let metadata = try await metadata()
        let parts = request.separatingRemovedLinks(in: metadata.model)
        guard parts.count == 1 else { return try await changeSet(parts)[0] }
        return try await sparing(parts) { requests in
            let response = try await service.send(try outgoing(requests[0], metadata))
            return try await result(of: response, to: requests[0], model: metadata.model)
        }
    }

    /// The request as it is sent.
    func outgoing(_ request: ChangeRequest, _ metadata: ServiceMetadata) throws -> OutgoingRequest {
        let model = metadata.model
        let change = try OutgoingChange(
            request, model: model, root: service.address.root, dialect: metadata.dialect, editLinks: service.editLinks)
        let url =
            if let link = change.link {
                try service.address.link(link, model: model)
            } else {
                service.address.url(change.path)
            }
        var outgoing = OutgoingRequest(
            change.method, url, fields: change.fields, body: change.body, accepted: [200, 201, 204],
            dialect: metadata.dialect)
        outgoing.isRecognizedAgain = model.recognizesRepetition(of: request.target)
        // What responses to other requests show says nothing about an action.
        if request.target.lastCall != nil, outgoing.isRecognizedAgain == nil { outgoing.isRecognizedAgain = false }
        return outgoing
    }
}

extension ChangeRequest.Operation {
    /// Whether a body of the response is the entity, or the result of an action.
    var returnsEntity: Bool {
        switch self {
        case .create, .createMedia, .update, .replace, .call: true
        default: false
        }
    }

    /// What a response to it is counted by, beside its status.
    var kind: String {
        switch self {
        case .create, .createMedia: "create"
        case .update: "update"
        case .replace: "replace"
        case .delete: "delete"
        case .setValue, .setRawValue, .insertValue: "value"
        case .addReference, .removeReference: "reference"
        case .replaceStream, .deleteStream: "stream"
        case .call: "call"
        }
    }
}
