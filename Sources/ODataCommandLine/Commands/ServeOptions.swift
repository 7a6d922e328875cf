import ArgumentParser
import Foundation
import ODataServer
import ODataService

/// Where `odata serve` listens, and which clients have access.
struct ServeAccessOptions: ParsableArguments {
    @Option(help: "The address to listen at; every other than a loopback address opens the service to the network.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 lets the system choose one.")
    var port = 0

    @Option(
        help: "A file with the server's certificate in PEM, then those of its issuers.",
        completion: .file())
    var tlsCert: String?

    @Option(help: "A file with the private key of the certificate in PEM.", completion: .file())
    var tlsKey: String?

    @Option(name: .shortAndLong, help: "name:file: a user with access, and a file with the password. May be repeated.")
    var user: [UserArgument] = []

    @Option(help: "A file with bearer tokens, one in a line: each gives access. May be repeated.", completion: .file())
    var bearer: [String] = []

    @Option(help: "Pages of this origin may use the service from a browser; * for all. May be repeated.")
    var cors: [String] = []

    @Option(help: "A host name that the server may be called by, besides those of this machine. May be repeated.")
    var allowedHost: [String] = []

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key require each other.")
        }
    }

    var identity: ServerIdentity? {
        guard let tlsCert, let tlsKey else { return nil }
        return ServerIdentity(certificateFile: tlsCert, keyFile: tlsKey)
    }

    var allowedHosts: AllowedHosts? { allowedHost.isEmpty ? nil : .named(Set(allowedHost)) }

    /// Wraps `service` in the authentication and the limits that the options require.
    ///
    /// - Throws: What reading the files throws.
    func guarding(_ service: any HTTPResponder) throws -> any HTTPResponder {
        var guarded = service
        let credentials = try credentials()
        if !credentials.isEmpty { guarded = AuthenticatingResponder(guarded, credentials: credentials) }
        if !cors.isEmpty {
            guarded = CrossOriginResponder(guarded, policy: cors.contains("*") ? .any : .origins(Set(cors)))
        }
        return guarded
    }

    private func credentials() throws -> ServiceCredentials {
        var credentials = ServiceCredentials()
        for user in user {
            guard let password = try Self.lines(of: user.file).first else {
                throw ValidationError("\(user.file) holds no password.")
            }
            credentials.add(user: user.name, password: password)
        }
        for file in bearer {
            let tokens = try Self.lines(of: file).map { $0.trimmingCharacters(in: .whitespaces) }
            guard !tokens.isEmpty else { throw ValidationError("\(file) holds no token.") }
            for token in tokens { credentials.add(token: token) }
        }
        return credentials
    }

    private static func lines(of file: String) throws -> [String] {
        try String(decoding: Data(named: file), as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
}

/// What a client of `odata serve` may ask for.
struct ServeLimitOptions: ParsableArguments {
    @Option(help: "The longest URL in bytes.")
    var maxURL: Int?

    @Option(help: "The longest JSON body in bytes.")
    var maxBody: Int?

    @Option(help: "The longest batch in bytes.")
    var maxBatch: Int?

    @Option(help: "The most requests of a batch.")
    var maxBatchParts: Int?

    @Option(help: "How deep $expand may be nested.")
    var maxExpand: Int?

    @Option(help: "The most entities of a page that a client gets, whatever it prefers.")
    var maxPageSize: Int?

    @Option(help: "The seconds that the database may work on a request, or a part of its response; 0 for any.")
    var queryTimeout = 10.0

    @Option(help: "The seconds that an upload which broke off waits to be continued; 86400 without it.")
    var uploadExpiry: Int?

    @Option(help: "The most uploads of a user that wait to be continued.")
    var maxUploads: Int?

    @Option(help: "All uploads that wait to be continued, in bytes.")
    var maxUploadBytes: Int?

    @Flag(
        name: .customLong("require-etag"), help: "Changes must say with If-Match which version they change; else 428.")
    var requiresETags = false

    func validate() throws {
        for (name, value) in named where value.map({ $0 < 1 }) ?? false {
            throw ValidationError("--\(name) takes a number above zero.")
        }
        guard (0...1_000_000).contains(queryTimeout) else {
            throw ValidationError("--query-timeout takes seconds from 0 to 1000000.")
        }
    }

    private var named: [(String, Int?)] {
        [
            ("max-url", maxURL), ("max-body", maxBody), ("max-batch", maxBatch), ("max-batch-parts", maxBatchParts),
            ("max-expand", maxExpand), ("max-page-size", maxPageSize), ("upload-expiry", uploadExpiry),
            ("max-uploads", maxUploads), ("max-upload-bytes", maxUploadBytes),
        ]
    }

    func apply(to configuration: inout ODataService.Configuration) {
        configuration.requiresETags = requiresETags
        configuration.limits.urlLength = maxURL ?? configuration.limits.urlLength
        configuration.limits.payloadSize = maxBody ?? configuration.limits.payloadSize
        configuration.limits.batchSize = maxBatch ?? configuration.limits.batchSize
        configuration.limits.batchRequests = maxBatchParts ?? configuration.limits.batchRequests
        configuration.limits.expandDepth = maxExpand ?? configuration.limits.expandDepth
        configuration.limits.pageSize = maxPageSize
        configuration.limits.queryTime = queryTimeout > 0 ? .seconds(queryTimeout) : nil
        if let uploadExpiry { configuration.limits.resumableUploadLifetime = .seconds(uploadExpiry) }
        configuration.limits.resumableUploads = maxUploads ?? configuration.limits.resumableUploads
        configuration.limits.resumableUploadSize =
            maxUploadBytes.map { Int64($0) } ?? configuration.limits.resumableUploadSize
    }
}

/// `ada:/etc/odata/ada.password`
struct UserArgument: ExpressibleByArgument {
    var name: String
    var file: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        name = String(parts[0])
        file = String(parts[1])
    }
}
