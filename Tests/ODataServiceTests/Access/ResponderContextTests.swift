import ByteStreams
import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataService

@Suite("The context of a request to a service")
struct ResponderContextTests {
    /// Responds from a task that inherits nothing, as a responder with threads of its own does.
    private struct Detaching: HTTPResponder {
        let next: any HTTPResponder

        func respond(
            to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
        ) async -> ServiceResponse {
            await Task.detached { await next.respond(to: request, body: body, root: root, context: context) }.value
        }
    }

    /// Gives the user that it is told, as a responder that checks the tokens of another program.
    private struct Users: HTTPResponder {
        let next: any HTTPResponder

        func respond(
            to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
        ) async -> ServiceResponse {
            var context = context
            context.user = request.headerFields[.authorization]
            return await next.respond(to: request, body: body, root: root, context: context)
        }
    }

    private static func chain(_ file: PublishedFile) -> any HTTPResponder {
        var credentials = ServiceCredentials()
        for token in ["ada", "bob"] { credentials.add(token: token) }
        return Detaching(next: AuthenticatingResponder(Detaching(next: file.service), credentials: credentials))
    }

    private static func owned(_ file: PublishedFile) -> any HTTPResponder {
        Detaching(next: Users(next: Detaching(next: file.service)))
    }

    private static let chains = [chain, owned]

    @Test("brings the user to status monitors and uploads", arguments: chains.indices)
    func user(chain: Int) async throws {
        let file = try PublishedFile()
        let text = RequestText(service: Self.chains[chain](file))
        for begin in ["GET Products(1)/Name\nPrefer: respond-async", "POST Photos\nUpload-Complete: ?0"] {
            let begun = await text.response(begin + "\nAuthorization: Bearer ada\n\n")
            let location = try #require(begun.head.headerFields[.location])
            let url = String(location.dropFirst(RequestText.root.count))
            #expect(try await text.responseText("HEAD \(url)\nAuthorization: Bearer bob").hasPrefix("404"))
            #expect(try await text.responseText("HEAD \(url)\nAuthorization: Bearer ada").hasPrefix("20"))
            #expect(try await file.responseText("HEAD \(url)").hasPrefix("404"))
        }
    }

    private static let marks = """
        Repeatability-Request-ID: 1
        Repeatability-First-Sent: Thu, 01 Jan 2099 01:20:25 GMT
        """
    private static let part = #"{"Name":"Mine"}"#
    private static let boundary = "POST $batch\nContent-Type: multipart/mixed;boundary=b\n\n"

    private static func inBatch(_ lines: String) -> String {
        boundary + "--b\nContent-Type: application/http\n\n\(lines)\n--b--\n"
    }

    private static let single = "POST Products HTTP/1.1\nContent-Type: application/json\n\(marks)\n\n\(part)"
    /// The same repeatable creation, wherever it is in a request.
    private static let creations = [
        "POST Products\nContent-Type: application/json\n\(marks)\n\n\(part)",
        inBatch(single),
        boundary + "--b\nContent-Type: multipart/mixed;boundary=c\n\n--c\nContent-Type: application/http\n"
            + "Content-ID: 1\n\n\(single)\n--c--\n--b--\n",
        "POST $batch\nContent-Type: application/json\n\n"
            + #"{"requests":[{"id":"1","method":"post","url":"Products","body":{"Name":"Mine"},"headers":{"#
            + #""Content-Type":"application/json","Repeatability-Request-ID":"1","#
            + #""Repeatability-First-Sent":"Thu, 01 Jan 2099 01:20:25 GMT"}}]}"#,
    ]

    @Test("keeps the results of repeatable requests of users apart, in batches too", arguments: creations)
    func repeatable(creation: String) async throws {
        let file = try PublishedFile()
        for user in ["basic ada", "basic bob", "basic ada", nil] {
            let response = try await file.responseText(creation, user: user)
            #expect(response.hasPrefix("20"), "\(response)")
        }
        #expect(try await file.responseText("GET Products/$count?$filter=Name eq 'Mine'") == "200\n\n3")
    }

    @Test(
        "brings the origin that is allowed to the service", arguments: ["https://app.example", "https://other.example"])
    func origin(origin: String) async throws {
        let file = try PublishedFile()
        let policy = CrossOriginPolicy.origins(["https://app.example"])
        let text = RequestText(service: CrossOriginResponder(Detaching(next: file.service), policy: policy))
        let change = "PATCH Products(1)\nContent-Type: application/json\nOrigin: \(origin)\n\n{\"Stock\":1}"
        let status = await text.response(change).head.status
        #expect(status.kind == (origin == "https://app.example" ? .successful : .clientError))
    }

    /// A function and an action that ask the store for more than there is time for, from another task.
    private static func slowOperations() -> OperationHandlers {
        let join = "$crossjoin(Products,Categories,Photos,Order_Details)/$count"
        let read: @Sendable (OperationInvocation) async throws -> Void = { call in
            try await Task.detached {
                _ = try await call.store.read(ReadRequest(try QueryParser(model: call.model).query(join)))
            }.value
        }
        var operations = OperationHandlers()
        operations.function(
            EdmOperationDeclaration(kind: .function, name: EdmQualifiedName("shop.Slow"), result: .init(type: .int32)),
            importName: "Slow"
        ) { call in
            try await read(call)
            return .value(.integer(1))
        }
        operations.performedAction(
            EdmOperationDeclaration(kind: .action, name: EdmQualifiedName("shop.Toil")), importName: "Toil"
        ) { call in
            try await read(call)
            return .nothing
        }
        return operations
    }

    @Test("brings the limit of time to what operations read", arguments: ["GET Slow()", "POST Toil"])
    func operation(request: String) async throws {
        let numbers = "WITH n(n) AS (VALUES (100) UNION ALL SELECT n + 1 FROM n WHERE n < 600)"
        let file = try PublishedFile(
            also: ["Products (ID, Name)", "Categories (ID, Name)", "Photos (ID, Title)"]
                .map { "\(numbers) INSERT INTO \($0) SELECT n, n FROM n;" }.joined())
        var configuration = ODataService.Configuration()
        configuration.limits.queryTime = .milliseconds(60)
        let service = ODataService(
            store: OperationStore(file.store, operations: Self.slowOperations()), configuration: configuration)
        let response = try await RequestText(service: service).responseText(request)
        #expect(response.hasPrefix("503") && response.contains("limit of 0.06 s"), "\(response)")
    }
}
