import AsyncHTTPTransport
import Foundation
import OData
import ODataServer
import ODataService
import Synchronization
import TestSupport
import Testing

// snippet: a session
actor Session {
    private var token: String?
    private let signIn: @Sendable () async throws -> String

    init(signIn: @escaping @Sendable () async throws -> String) { self.signIn = signIn }

    /// The token that is kept, or a new one instead of the one that the service has refused.
    func token(insteadOf rejected: String?) async throws -> String {
        if let token, token != rejected { return token }
        let new = try await signIn()
        token = new
        return new
    }
}
// end

@Suite("The article on signing in", .timeLimit(.minutes(5)))
struct SigningInSnippets {
    /// A server with a certificate that nobody vouches for, which knows Ada by her password, and the token *new*.
    private func serve(_ site: FieldSite) async throws -> (server: ODataServer, certificate: String) {
        let files = try TestCertificate.write(to: site.folder)
        var credentials = ServiceCredentials()
        credentials.add(user: "ada", password: "open sesame")
        credentials.add(token: "new")
        let server = try await ODataServer.start(
            service: AuthenticatingResponder(site.service, credentials: credentials),
            identity: ServerIdentity(certificateFile: files.certificate, keyFile: files.key))
        return (server, files.certificate)
    }

    @Test("A password and a token reach a service over TLS whose certificate is trusted by a file")
    func secure() async throws {
        let site = try FieldSite()
        let (server, certificate) = try await serve(site)
        let root = server.rootURL.replacing("127.0.0.1", with: "localhost")
        #expect(root.hasPrefix("https://"))
        // snippet: a trusted certificate
        var connection = AsyncHTTPTransport.Configuration()
        connection.trustedCertificates = certificate
        let transport = AsyncHTTPTransport(configuration: connection)
        // end
        try await basic(root, transport, password: "open sesame")
        await #expect { try await basic(root, transport, password: "wrong") } throws: {
            ($0 as? ODataError)?.code == .unauthorized
        }
        try await bearer(root, transport)
        try await transport.shutdown()
        let stranger = AsyncHTTPTransport()
        await #expect { try await basic(root, stranger, password: "open sesame") } throws: {
            (($0 as? ODataError)?.cause as? TransportError)?.code == .insecure
        }
        try await stranger.shutdown()
        try await server.stop()
    }

    private func basic(_ root: String, _ transport: AsyncHTTPTransport, password: String) async throws {
        // snippet: basic authentication
        var configuration = OnlineStore.Configuration()
        configuration.middleware = [BasicAuthentication(user: "ada", password: password)]
        let service = try OnlineStore(serviceRoot: root, transport: transport, configuration: configuration)
        // end
        #expect(try await service.model().entitySet(named: "Photos") != nil)
    }

    private func bearer(_ root: String, _ transport: AsyncHTTPTransport) async throws {
        let tokens = Mutex(["old", "new"])
        let session = Session { tokens.withLock { $0.removeFirst() } }
        var configuration = OnlineStore.Configuration()
        // snippet: bearer authentication
        configuration.middleware = [
            BearerAuthentication { rejected in try await session.token(insteadOf: rejected) }
        ]
        // end
        // snippet: CSRF tokens
        configuration.csrf = .always
        configuration.cookies = CookieJar()
        // end
        // snippet: headers of every request
        configuration.headers = [HeaderField(name: "X-API-Key", value: "42")]
        // end
        let service = try OnlineStore(serviceRoot: root, transport: transport, configuration: configuration)
        #expect(try await service.model().entitySet(named: "Photos") != nil)
        #expect(tokens.withLock { $0.isEmpty }, "the first token was refused, and the second one asked for")
    }

    @Test("Files that a transport is told of are read with its first request")
    func connections() async throws {
        var connection = AsyncHTTPTransport.Configuration()
        // snippet: client certificates and proxies
        connection.clientCertificate = .init(chain: "ada.pem", privateKey: "ada-key.pem")
        connection.proxy = .init(host: "proxy.example.org", port: 3128, user: "ada", password: "secret")
        connection.readTimeout = .seconds(120)
        // end
        let transport = AsyncHTTPTransport(configuration: connection)
        let service = try OnlineStore(serviceRoot: "https://service.test/", transport: transport)
        let error = await #expect(throws: ODataError.self) { try await service.model() }
        #expect(error?.message.contains("client certificate") == true, "\(error as Any)")
        try await transport.shutdown()
    }
}
