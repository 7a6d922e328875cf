import ByteStreams
import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension OnlineStore {
    /// Sends one change.
    ///
    /// An error has ``ODataStores/ODataError/isOutcomeUnknown`` set where the service may have acted: the connection
    /// ended after the request was sent, or the answer was none of OData's.
    ///
    /// [OData-Protocol, section 11.4]
    public func change(_ request: ChangeRequest) async throws -> ChangeResult {
        let model = try await model()
        let change = try OutgoingChange(request, model: model, root: service.address.root)
        let url =
            if let link = change.link {
                try service.address.link(link, model: model)
            } else {
                service.address.url(change.path)
            }
        let outgoing = OutgoingRequest(
            change.method, url, fields: change.fields, body: change.body, accepted: [200, 201, 204])
        let answer = try await service.send(outgoing)
        let reply = ChangeReply(
            status: answer.status, fields: answer.response.headerFields, body: await entityBytes(answer, request))
        return await reply.result(of: request, model: model, address: service.address)
    }

    /// The body, if it may hold an entity and arrives whole. The change has happened, so a body that does not is no
    /// error: headers tell the rest, and the caller can read the entity.
    private func entityBytes(_ answer: ServiceAnswer, _ request: ChangeRequest) async -> [UInt8] {
        guard answer.isJSON, answer.status != 204, request.operation.answersWithEntity else { return [] }
        return (try? await answer.bytes(upTo: configuration.maxAnswerBytes)) ?? []
    }
}

extension ChangeRequest.Operation {
    /// Whether a body of the answer is the entity.
    var answersWithEntity: Bool {
        switch self {
        case .create, .createMedia, .update, .replace: true
        default: false
        }
    }
}
