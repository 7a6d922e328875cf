import ODataModel
import ODataQuery
import ODataStores

/// Attachments that are entities of their own, whose properties say something of them: what back ends of these do alike.
protocol DescribedEntities: Sendable {
    /// Where the attachments of one entity are.
    associatedtype Place: Sendable

    var store: any ODataStore { get }

    /// An attachment as the service has it now.
    func read(_ path: ResourcePath, in place: Place) async throws -> RemoteAttachment

    /// What is sent of details.
    func payload(_ details: AttachmentDetails, in place: Place) -> EntityPayload
}

extension DescribedEntities {
    /// Sends the details unless the attachment has them, as far as its properties can say them.
    ///
    /// - Returns: The attachment with them.
    /// - Throws: ``ODataError``: `preconditionFailed` if it has another ETag by now.
    func patch(
        _ attachment: RemoteAttachment, _ details: AttachmentDetails, at path: ResourcePath, ifMatch: String,
        in place: Place
    ) async throws -> RemoteAttachment {
        let payload = payload(details, in: place)
        guard payload.properties != self.payload(attachment.details, in: place).properties else { return attachment }
        var request = ChangeRequest(path, .update(payload))
        request.ifMatch = ifMatch
        _ = try await store.provenChange(request)
        if let read = try? await read(path, in: place) { return read }
        var patched = attachment.withoutTags
        patched.details = details
        return patched
    }
}
