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
    /// ended after the request was sent, or the answer was none of OData's.
    ///
    /// [OData-Protocol, section 11.4]
    public func change(_ request: ChangeRequest) async throws -> ChangeResult {
        let metadata = try await metadata()
        let answer = try await service.send(try outgoing(request, metadata))
        return try await result(of: answer, to: request, model: metadata.model)
    }

    /// The request as it is sent.
    func outgoing(_ request: ChangeRequest, _ metadata: ServiceMetadata) throws -> OutgoingRequest {
        let model = metadata.model
        let change = try OutgoingChange(
            request, model: model, root: service.address.root, dialect: metadata.dialect)
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
        // What answers to other requests show says nothing of an action.
        if request.target.lastCall != nil, outgoing.isRecognizedAgain == nil { outgoing.isRecognizedAgain = false }
        return outgoing
    }

    /// What a success means.
    ///
    /// - Parameter place: Where the stream was uploaded to: a `Location` that is the same is not that of an entity.
    func result(
        of answer: ServiceAnswer, to request: ChangeRequest, model: Model, uploadedTo place: String? = nil
    ) async throws -> ChangeResult {
        let body = try await entityBytes(answer, request)
        var fields = answer.response.headerFields
        if let place, fields[.location] == place { fields[.location] = nil }
        let reply = ChangeReply(
            status: answer.status, fields: fields, body: body, dialect: answer.request.dialect)
        let result = await reply.result(of: request, model: model, address: service.address)
        if let error = reply.error(beside: result) { throw answer.contradictory(error) }
        guard answer.isSurelyOData || body.isEmpty || result.entity != nil || result.called != nil else {
            throw answer.unexpected(beginning: body)
        }
        return result
    }

    /// The body, if it may hold an entity and arrives whole. Where the answer is surely the service's, the change has
    /// happened, so a body that does not is no error: headers tell the rest, and the caller can read the entity.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for what a login page on the way answers.
    private func entityBytes(_ answer: ServiceAnswer, _ request: ChangeRequest) async throws -> [UInt8] {
        guard answer.status != 204 else { return [] }
        if !answer.isData, !answer.isSurelyOData {
            let beginning = await answer.beginning()
            guard beginning.isEmpty else { throw answer.unexpected(beginning: beginning) }
        }
        guard answer.isData, request.operation.answersWithEntity else { return [] }
        return (try? await answer.bytes(upTo: configuration.maxAnswerBytes)) ?? []
    }
}

extension ServiceAnswer {
    /// Whether the header is one that only an OData service sends.
    ///
    /// [OData-Protocol, section 8.1.5]
    fileprivate var isSurelyOData: Bool {
        let fields = response.headerFields
        return fields.tellsVersion || fields.contains(.oDataEntityID) || fields.contains(.repeatabilityResult)
            || status == 201 && fields.contains(.location)
    }
}

extension ChangeRequest.Operation {
    /// Whether a body of the answer is the entity, or the result of an action.
    var answersWithEntity: Bool {
        switch self {
        case .create, .createMedia, .update, .replace, .call: true
        default: false
        }
    }
}
