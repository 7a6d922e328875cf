import ByteStreams
import ODataFormats
import ODataMetadata
import ODataModel
import ODataStores

/// Reads rows off a response as they arrive, and makes its links absolute.
final class OnlineReader: EntityReader {
    let shape: RowShape
    private let reader: any EntityReader
    private let request: OutgoingRequest
    private let service: ServiceConnection
    private let hasAnnotations: Bool

    /// - Parameters:
    ///   - response: The one that is read.
    ///   - content: Its body.
    ///   - hasAnnotations: Whether instance annotations were asked for; else they are left out.
    ///   - limits: What the payload may have.
    init(
        _ response: OnlineResponse, _ content: ByteContent, shape: RowShape, kind: PayloadKind,
        service: ServiceConnection, hasAnnotations: Bool, limits: PayloadLimits
    ) {
        self.shape = shape
        reader =
            response.legacyFormat?.reader(content, shape: shape, kind: kind, limits: limits)
            ?? JSONEntityReader(content, shape: shape, kind: kind, limits: limits)
        request = response.request
        self.service = service
        self.hasAnnotations = hasAnnotations
    }

    func next() async throws -> RowBlock? {
        do {
            guard var block = try await reader.next() else { return nil }
            if !hasAnnotations { block.annotationTerms = [] }
            service.take(&block, shape: shape, request.dialect)
            block.nextLink = try absolute(block.nextLink)
            block.deltaLink = try absolute(block.deltaLink)
            for index in block.expansions.indices {
                block.expansions[index].nextLink = try absolute(block.expansions[index].nextLink)
            }
            return block
        } catch {
            throw ODataError(reading: error, of: request)
        }
    }

    /// Nil for an empty text, which some services write where there is nothing to lead to.
    private func absolute(_ link: String?) throws -> String? {
        guard let link, !link.allSatisfy(\.isWhitespace) else { return nil }
        return try service.address.link(link, from: request.url, model: shape.model).description
    }
}
