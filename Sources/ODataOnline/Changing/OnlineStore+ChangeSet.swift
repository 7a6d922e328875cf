import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension OnlineStore {
    /// Sends all changes in one change set of a `$batch` request: all of them happen, or none.
    ///
    /// Media are sent from memory here, up to ``Configuration/maxAnswerBytes`` in all.
    ///
    /// [OData-Protocol, section 11.7.4; OData-JSON, section 19]
    public func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        guard !requests.isEmpty else { return [] }
        let metadata = try await metadata()
        let model = metadata.model
        let set = try await OutgoingChangeSet(
            requests, model: model, root: service.address.root, dialect: metadata.dialect,
            limit: configuration.maxAnswerBytes)
        let answer = try await service.send(set.request(to: service.address, encoding: configuration.batchEncoding))
        let replies = try await self.replies(answer)
        if let failure = set.failure(in: replies, answer: answer) { throw failure }
        var results: [ChangeResult] = []
        for (index, request) in requests.enumerated() {
            guard let reply = set.reply(to: index, in: replies) else {
                throw answer.invalid("The service answered \(replies.count) of the \(requests.count) changes.")
            }
            let change = ChangeReply(
                status: reply.status, fields: HTTPFields(passing: reply.headers), body: reply.body,
                dialect: metadata.dialect)
            results.append(await change.result(of: request, model: model, address: service.address))
        }
        return results
    }

    private func replies(_ answer: ServiceAnswer) async throws -> [BatchReply] {
        let bytes = try await answer.bytes(upTo: configuration.maxAnswerBytes)
        let type = answer.response.headerFields[.contentType] ?? ""
        guard let format = BatchFormat(contentType: type) else { throw answer.unexpected(beginning: bytes) }
        do {
            return try Batch.readReplies(bytes, format: format)
        } catch {
            throw ODataError(reading: error, of: answer.request)
        }
    }
}
