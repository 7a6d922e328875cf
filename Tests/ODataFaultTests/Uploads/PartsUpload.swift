import ByteStreams
import Foundation
import HTTPTypes
import OData

/// A method as an app writes one, with a transport of the app's: what ``PartsService`` speaks.
struct PartsUpload: UploadMethod {
    private static let partSize: Int64 = 100_000

    /// With a slash at its end.
    let root: String
    let transport: any HTTPTransport

    var name: String { "parts" }
    var commits: Bool { true }

    func begin(_ job: UploadJob) async throws -> UploadStep {
        let stream = job.request.target.url
        let target = stream.hasSuffix("/$value") ? stream : "\(stream)/$value"
        let response = try await send(.post, "\(root)parts", ["X-Target": target])
        guard let place = field("Location", of: response) else { return .unsupported }
        return .acknowledged(0, UploadSession(location: place, partSize: Self.partSize))
    }

    func resume(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        try step(try await send(.get, session.location), session)
    }

    func append(
        _ content: ByteContent, at offset: Int64, isLast: Bool, to session: UploadSession, of job: UploadJob
    ) async throws -> UploadStep {
        let last = offset + (content.length ?? 0) - 1
        let fields = ["Content-Range": "bytes \(offset)-\(last)/\(job.length)"]
        return try step(try await send(.put, session.location, fields, content), session)
    }

    func commit(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        try step(try await send(.post, session.location), session)
    }

    func abort(_ session: UploadSession, of job: UploadJob) async throws {
        _ = try await send(.delete, session.location)
    }

    private func step(_ response: HTTPResponse, _ session: UploadSession) throws -> UploadStep {
        if response.status.code == 404 { return .gone }
        guard let count = field("X-Bytes", of: response).flatMap({ Int64($0) }) else {
            throw ODataError(.invalidResponse, "The service does not report how many bytes it has: \(response.status)")
        }
        return field("X-State", of: response) == "done"
            ? .executed(ChangeResult(.updated)) : .acknowledged(count, session)
    }

    private func field(_ name: String, of response: HTTPResponse) -> String? {
        HTTPField.Name(name).flatMap { response.headerFields[$0] }
    }

    /// - Throws: ``ODataError``, of which nobody knows whether the request was carried out.
    private func send(
        _ method: HTTPRequest.Method, _ url: String, _ fields: [String: String] = [:], _ body: ByteContent = .empty
    ) async throws -> HTTPResponse {
        guard let place = URL(string: url), let host = place.host, let port = place.port else {
            throw ODataError(.internalError, "The place of an upload is not a URL: \(url)")
        }
        var request = HTTPRequest(method: method, scheme: place.scheme, authority: "\(host):\(port)", path: place.path)
        for (name, value) in fields {
            guard let name = HTTPField.Name(name) else { continue }
            request.headerFields[name] = value
        }
        do {
            let response = try await transport.send(request, body: method == .get ? nil : body)
            // The connection is free again.
            _ = try await response.body.collect(upTo: 1000)
            return response.head
        } catch let error as TransportError {
            var failure = ODataError(
                error.code == .cancelled ? .cancelled : .unreachable, error.message, cause: error)
            failure.isOutcomeUnknown = true
            throw failure
        }
    }
}
