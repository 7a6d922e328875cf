import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transfers that a session has under way.
final class SessionTransfers: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
    private struct Transfer {
        let waiting: CheckedContinuation<Outcome, any Error>
        /// What was downloaded.
        var file: TemporaryFile?
        /// The response to an upload.
        var bytes: [UInt8] = []
        var failure: (any Error)?
    }

    private struct Outcome: Sendable {
        var file: TemporaryFile?
        var bytes: [UInt8]
        var response: URLResponse?
    }

    private let transfers = Mutex<[Int: Transfer]>([:])
    private let folder: URL
    private let responseLimit: Int
    private let decodedLimit: Int64
    /// Of a session with one request only.
    private let body: StreamedBody?

    init(folder: URL, responseLimit: Int, decodedLimit: Int64, body: StreamedBody? = nil) {
        self.folder = folder
        self.responseLimit = responseLimit
        self.decodedLimit = decodedLimit
        self.body = body
    }

    /// Runs `task`.
    ///
    /// - Parameter sent: The file that is uploaded.
    func response(to task: URLSessionTask, request: HTTPRequest, sent: TemporaryFile? = nil) async throws
        -> TransportResponse
    {
        let outcome: Outcome
        do {
            outcome = try await run(task)
        } catch {
            // A body that was stopped or failed breaks the transfer off with an error that does not say so.
            if body != nil, Task.isCancelled { throw TransportError.wrap(CancellationError(), host: "") }
            throw body?.failure ?? TransportError.wrap(error, host: request.authority ?? "")
        }
        guard let response = outcome.response as? HTTPURLResponse else {
            throw TransportError(.interrupted, "The connection to \(request.authority ?? "") gave no response.")
        }
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = HTTPField.Name("\(name)") else { continue }
            fields[name] = "\(value)"
        }
        let status = HTTPResponse.Status(code: response.statusCode)
        if let sent { try check(task, sent: sent, status: status) }
        if let body, status.kind == .successful, !body.isRead {
            throw TransportError(.truncated, "The service did not wait for the end of the body.")
        }
        let content = try outcome.file.map { ByteContent(try TemporaryFileSource($0)) } ?? ByteContent(outcome.bytes)
        try check(content, fields: fields, isWithoutBody: request.method == .head || status.code == 304)
        // The session has decoded what came compressed.
        if fields[.contentEncoding] != nil, let length = content.length, length > decodedLimit { throw tooLong }
        return TransportResponse(head: HTTPResponse(status: status, headerFields: fields).decoded, body: content)
    }

    private var tooLong: TransportError {
        TransportError(.encoding, "The response is longer than \(decodedLimit) bytes when it is decoded.")
    }

    private func run(_ task: URLSessionTask) async throws -> Outcome {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                transfers.withLock { $0[task.taskIdentifier] = Transfer(waiting: waiting) }
                task.resume()
            }
        } onCancel: {
            cancel(task)
        }
    }

    private func cancel(_ task: URLSessionTask) {
        let endsByItself = body?.stop() ?? false
        #if canImport(FoundationNetworking)
            // A session that a read keeps waiting would keep the caller waiting too.
            guard !endsByItself else { return }
        #endif
        task.cancel()
    }

    /// A success means that all was sent.
    private func check(_ task: URLSessionTask, sent file: TemporaryFile, status: HTTPResponse.Status) throws {
        let length = file.length ?? -1
        guard status.kind == .successful, task.countOfBytesSent != length else { return }
        throw TransportError(.truncated, "\(task.countOfBytesSent) of the \(length) bytes of the body were sent.")
    }

    private func check(_ body: ByteContent, fields: HTTPFields, isWithoutBody: Bool) throws {
        guard !isWithoutBody, fields[.contentEncoding] == nil, let length = body.length,
            let expected = fields[.contentLength].flatMap({ Int64($0) }), expected != length
        else { return }
        throw TransportError(
            .truncated, "The connection ended after \(length) of the \(expected) bytes of Content-Length.")
    }

    // MARK: Delegate

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(body?.newStream())
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        // The session removes its own file when this returns.
        let file = TemporaryFile(in: folder)
        let result = Result { try FileManager.default.moveItem(at: location, to: file.url) }
        transfers.withLock { transfers in
            switch result {
            case .success: transfers[downloadTask.taskIdentifier]?.file = file
            case .failure(let error): transfers[downloadTask.taskIdentifier]?.failure = error
            }
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let response = downloadTask.response as? HTTPURLResponse
        guard totalBytesWritten > decodedLimit, response?.value(forHTTPHeaderField: "Content-Encoding") != nil else {
            return
        }
        transfers.withLock { $0[downloadTask.taskIdentifier]?.failure = tooLong }
        downloadTask.cancel()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = transfers.withLock { transfers in
            guard var transfer = transfers.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            transfer.bytes += data
            let isTooLong = transfer.bytes.count > responseLimit
            if isTooLong {
                transfer.failure = ByteStreamError(.tooLong, "The response is longer than \(responseLimit) bytes.")
            }
            transfers[dataTask.taskIdentifier] = transfer
            return isTooLong
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let failure = transfer.failure ?? error {
            transfer.waiting.resume(throwing: failure)
        } else {
            transfer.waiting.resume(
                returning: Outcome(file: transfer.file, bytes: transfer.bytes, response: task.response))
        }
    }
}
