import ByteStreams
import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataService

@Suite("Errors")
struct ServiceFailureTests {
    private struct Secret: Error {}

    @Test(
        "of a store get the status of their code",
        arguments: [
            (ODataError.Code.badRequest, 400), (.unauthorized, 401), (.forbidden, 403), (.notFound, 404),
            (.methodNotAllowed, 405), (.conflict, 409), (.gone, 410), (.preconditionFailed, 412), (.tooLarge, 413),
            (.unsupportedMediaType, 415), (.rangeNotSatisfiable, 416), (.preconditionRequired, 428),
            (.internalError, 500), (.notImplemented, 501), (.unreachable, 502), (.storage, 507), (.cancelled, 503),
            (ODataError.Code("other"), 500),
        ])
    func store(code: ODataError.Code, status: Int) async throws {
        let failure = ServiceFailure(ODataError(code, "What was wrong."))
        #expect(failure.status.code == status)
        let body = String(decoding: try await failure.response.body.collect(upTo: 1_000), as: UTF8.self)
        #expect(body == #"{"error":{"code":"\#(code.name)","message":"What was wrong."}}"#)
    }

    @Test("pass a service's own error on")
    func service() {
        var error = ODataError(.conflict, "409")
        error.service = ServiceError(code: "X7", message: "Own words.", target: "Name")
        error.retryAfter = 5
        let failure = ServiceFailure(error)
        #expect(failure.error.code == "X7")
        #expect(failure.error.message == "Own words.")
        #expect(failure.error.target == "Name")
        #expect(failure.headers[.retryAfter] == "5")
    }

    @Test("that are not for the client are not told")
    func unknown() {
        let failure = ServiceFailure(Secret())
        #expect(failure.status == .internalServerError)
        #expect(failure.error.message == "The service failed.")
    }

    @Test("of formats, queries and bodies are the client's")
    func client() {
        #expect(ServiceFailure(FormatError("Bad.", offset: 7)).error.message == "Bad. (at byte 7)")
        #expect(ServiceFailure(QueryError(.notImplemented, "$apply is not supported.")).status == .notImplemented)
        #expect(ServiceFailure(QueryError(.typeMismatch, "Wrong.")).status == .badRequest)
        #expect(ServiceFailure(ByteStreamError(.tooLong, "Long.")).status == .contentTooLarge)
        #expect(ServiceFailure(ByteStreamError(.unreadable, "Cut.")).status == .badRequest)
    }

    @Test("405 says what is allowed")
    func allowed() {
        let failure = ServiceFailure.methodNotAllowed(.patch, allowed: [.get, .post, .head])
        #expect(failure.headers[.allow] == "GET, POST, HEAD")
        #expect(ServiceFailure(ODataError(.methodNotAllowed, "")).headers[.allow] == "GET, HEAD, OPTIONS")
    }
}
