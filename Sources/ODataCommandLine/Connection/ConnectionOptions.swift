import ArgumentParser
import AsyncHTTPTransport
import Foundation
import HTTPTypes
import OData
import ODataArcGIS
import Synchronization

/// Options of the commands that talk to a service.
///
/// They are one group without groups in it: with each level of groups the argument parser's checks in debug builds take
/// five times as long.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: "A header sent with each request, as 'Name: value'. May be repeated.")
    var headers: [String] = []

    @Option(name: .shortAndLong, help: "User name and password for basic authentication, as name:password.")
    var user: String?

    @Option(help: "A command that prints a bearer token; it is run when a token is needed.")
    var tokenCommand: String?

    @Option(
        help: """
            Streams of at least so many bytes are uploaded in pieces, where the service takes that; 4194304 without it.
            """)
    var resumableSize: Int?

    @Option(help: "Seconds that the service may be silent until an attempt times out; 60 by default.")
    var timeout: Int?

    @Option(
        help: "How often a request that failed is sent again, where that cannot do harm; 3 without it, 0 is never.")
    var retries: Int?

    @Option(help: "Seconds that fetching a service's metadata may take in all, retries included; 120 without it.")
    var metadataTimeout: Int?

    @Option(
        help: "Elements that a metadata document may have, each about 1300 bytes of memory; 300000 without it.")
    var maxMetadataElements: Int?

    @Option(help: "A PEM file of certificates to trust instead of the system's.", completion: .file())
    var cacert: String?

    @Option(
        help: "A PEM file with the certificate that is shown to the service, for --client-key.", completion: .file())
    var clientCert: String?

    @Option(help: "A PEM file with the private key of --client-cert, not encrypted.", completion: .file())
    var clientKey: String?

    func validate() throws {
        if let resumableSize, resumableSize < 0 {
            throw ValidationError("--resumable-size takes a number of bytes, none below zero.")
        }
        for header in headers where !header.contains(":") {
            throw ValidationError("--header takes 'Name: value', not '\(header)'.")
        }
        if let user, !user.contains(":") { throw ValidationError("--user takes name:password.") }
        try validateTransport()
    }

    /// Whether a --header has this name, and is to be sent in the place of what a command sends by itself.
    func gives(_ name: HTTPField.Name) -> Bool {
        headers.contains { HTTPField.Name(String($0.prefix { $0 != ":" })) == name }
    }

    /// Runs `body` with a transport that repeats requests, authenticates, follows redirects and keeps cookies.
    ///
    /// - Parameters:
    ///   - first: The middleware before redirects and cookies, for example what depends on a session.
    ///   - last: The last middleware, next to the service.
    func withTransport<Result>(
        first: [any HTTPMiddleware] = [], _ last: [any HTTPMiddleware] = [],
        _ body: (any HTTPTransport) async throws -> Result
    ) async throws -> Result {
        let middleware = try middleware(tokenCommand: tokenCommand) + first + Self.following + last
        return try await withClient { try await body($0.with(middleware)) }
    }

    /// Redirects are handled before cookies, so that each hop sends and receives its own.
    static var following: [any HTTPMiddleware] { [RedirectMiddleware(), CookieMiddleware()] }

    /// Runs `body` with the service as a store. CSRF tokens, redirects and cookies are handled after authentication, so
    /// that each hop of a redirect gets its cookies.
    func withStore<Result>(
        _ serviceRoot: String, tokenCommand stored: String? = nil, badValuesAsNull: Bool = false,
        _ body: (OnlineStore) async throws -> Result
    ) async throws -> Result {
        var configuration = OnlineStore.Configuration()
        configuration.middleware = try middleware(tokenCommand: tokenCommand ?? stored)
        if let resumableSize { configuration.resumableSize = Int64(resumableSize) }
        configuration.takesBadValuesAsNull = badValuesAsNull
        if let elements = maxMetadataElements { configuration.maxMetadataElements = elements }
        if let seconds = metadataTimeout { configuration.metadataTimeout = .seconds(seconds) }
        return try await withClient { client in
            try await body(OnlineStore(serviceRoot: serviceRoot, transport: client, configuration: configuration))
        }
    }

    /// Runs `body` with a layer of an ArcGIS feature service. Its client sends the token itself, and has it fetched again
    /// where the service refuses it.
    func withLayer<Result>(
        _ layerURL: String, _ body: (FeatureLayerBackEnd) async throws -> Result
    ) async throws -> Result {
        var configuration = ArcGISClient.Configuration()
        if let tokenCommand {
            let command = TokenCommand(tokenCommand)
            configuration.tokens = { rejected in try command.token(rejected: rejected) }
        }
        let middleware = try middleware(tokenCommand: nil) + Self.following
        return try await withClient { client in
            try await body(
                FeatureLayerBackEnd(
                    layerURL: layerURL, transport: client.with(middleware), configuration: configuration))
        }
    }

    /// Runs `body` with a client, and shuts it down afterwards.
    private func withClient<Result>(_ body: (AsyncHTTPTransport) async throws -> Result) async throws -> Result {
        let client = AsyncHTTPTransport(configuration: try transportConfiguration())
        do {
            let result = try await body(client)
            try await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func middleware(tokenCommand: String?) throws -> [any HTTPMiddleware] {
        var middleware: [any HTTPMiddleware] = [RetryMiddleware(policy: retryPolicy)]
        if !headers.isEmpty { middleware.append(HeaderMiddleware(try fields())) }
        if let user {
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            middleware.append(BasicAuthentication(user: String(parts[0]), password: String(parts[1])))
        }
        if let tokenCommand {
            let command = TokenCommand(tokenCommand)
            middleware.append(BearerAuthentication { rejected in try command.token(rejected: rejected) })
        }
        return middleware
    }

    private func fields() throws -> HTTPFields {
        var fields = HTTPFields()
        for header in headers {
            let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
                throw Failure("'\(parts.first ?? "")' is not a valid header name.")
            }
            fields.append(HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces)))
        }
        return fields
    }
}

/// Runs the command of `--token-command`, again when its token was refused.
final class TokenCommand: Sendable {
    private let command: String
    private let known = Mutex<String?>(nil)

    init(_ command: String) {
        self.command = command
    }

    func token(rejected: String?) throws -> String {
        try known.withLock { known in
            if let token = known, token != rejected { return token }
            let token = try run()
            known = token
            return token
        }
    }

    private func run() throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0, !token.isEmpty else {
            throw Failure("The token command failed with status \(process.terminationStatus): \(command)")
        }
        return token
    }
}
