import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// Executes the requests of a batch in their order.
struct BatchRunner {
    let call: ServiceCall
    let isMultipart: Bool
    let stops: Bool
    private var scope = BatchScope()
    /// Ids of requests and change sets that did not succeed.
    private var failed: Set<String> = []
    private var responses: [BatchItemResponse] = []
    private var size = 0

    /// - Parameters:
    ///   - isMultipart: whether the response is.
    ///   - stops: whether the first failure ends the batch.
    init(call: ServiceCall, isMultipart: Bool, stops: Bool) {
        self.call = call
        self.isMultipart = isMultipart
        self.stops = stops
    }

    private var service: ODataService { call.service }

    /// The responses. With `stops`, no more requests are executed after the first failure.
    mutating func run(_ parts: [BatchPart]) async throws -> [BatchItemResponse] {
        var rest = parts[...]
        while let first = rest.first {
            let group =
                first.atomicityGroup == nil ? rest.prefix(1) : rest.prefix { $0.atomicityGroup == first.atomicityGroup }
            rest = rest.dropFirst(group.count)
            let succeeded =
                first.atomicityGroup == nil ? try await runSingle(first) : try await runChangeSet(Array(group))
            guard succeeded || !stops else { break }
        }
        return responses
    }

    private mutating func runSingle(_ part: BatchPart) async throws -> Bool {
        if let refusal = refusal(of: [part], group: nil) { return try await append(refusal.response, to: part) }
        let response: ServiceResponse
        if let request = request(part, scope: scope) {
            response = try await respond(to: request)
            remember(part, url: request.url, response: response)
        } else {
            response = outside(part)
        }
        return try await append(response, to: part)
    }

    /// A read ends when the client of the batch leaves.
    private func respond(to request: ServiceRequest) async throws -> ServiceResponse {
        guard [.get, .head].contains(request.method) else { return await service.respond(to: request) }
        return try await request.context.ending { [service] in await service.respond(to: request) }
    }

    private mutating func runChangeSet(_ parts: [BatchPart]) async throws -> Bool {
        var changes = ChangeSet(
            service: service, parts: parts, scope: scope, headers: call.headers, isV2: call.request.isV2)
        let group = parts.first?.atomicityGroup
        if let index = Self.repeatedID(in: parts) {
            let failure = ServiceFailure(
                .badRequest, "Two requests of the change set have the id \(parts[index].id ?? "").")
            return try await fail(parts, at: index, with: rendered(failure, of: parts[index]))
        }
        if let refusal = refusal(of: parts, group: group) {
            return try await fail(parts, at: refusal.index, with: refusal.response)
        }
        do {
            let outcome = try await changes.run { request($0, scope: $1) }
            for (part, item) in zip(parts, outcome) {
                remember(part, url: item.url, response: item.response)
                try await append(item.response, to: part)
            }
            return true
        } catch let failure as ChangeSet.Failure {
            return try await fail(parts, at: failure.index, with: failure.response)
        }
    }

    /// The first request with an id that one before it has: what refers to it could mean either.
    private static func repeatedID(in parts: [BatchPart]) -> Int? {
        var known: Set<String> = []
        return parts.firstIndex { part in part.id.map { !known.insert($0).inserted } ?? false }
    }

    /// The failure as the client of the batch reads errors.
    private func rendered(_ failure: ServiceFailure, of part: BatchPart) -> ServiceResponse {
        var request = call.request
        request.headers = part.fields
        return service.render(failure, to: request)
    }

    /// Multipart responds to a failed change set with one response; JSON responds to each of its requests.
    private mutating func fail(_ parts: [BatchPart], at index: Int, with response: ServiceResponse) async throws -> Bool
    {
        if let group = parts.first?.atomicityGroup { failed.insert(group) }
        failed.formUnion(parts.compactMap(\.id))
        for (position, part) in parts.enumerated() {
            if position == index {
                try await append(response, to: part, isInGroup: !isMultipart)
            } else if !isMultipart {
                try await append(failedDependency(parts[index].id ?? "another request"), to: part)
            }
        }
        return false
    }

    private func failedDependency(_ id: String) -> ServiceResponse { failedDependency(because: "\(id) failed") }

    private func failedDependency(because reason: String) -> ServiceResponse {
        let failure = ServiceFailure.failedDependency("Not executed: \(reason).")
        return service.complete(failure.response, to: .post, version: call.version)
    }

    /// The response to requests that are not executed because of what they depend on: a condition is in the place of
    /// the rule that all of it must have succeeded. With the place of the request that it is about; nil where they are
    /// executed.
    ///
    /// [OData-JSON, section 19.1]
    private func refusal(of parts: [BatchPart], group: String?) -> (index: Int, response: ServiceResponse)? {
        for (index, part) in parts.enumerated() {
            guard let text = part.condition else {
                if let failed = part.dependsOn.first(where: { failed.contains($0) && $0 != group }) {
                    return (index, failedDependency(failed))
                }
                continue
            }
            do {
                guard try !BatchCondition(text).holds(after: part.dependsOn, failed: failed) else { continue }
                return (index, failedDependency(because: "its condition “\(text)” is false"))
            } catch {
                return (index, service.complete(ServiceFailure(error).response, to: .post, version: call.version))
            }
        }
        return nil
    }

    private func outside(_ part: BatchPart) -> ServiceResponse {
        guard HTTPRequest.Method(rawValue: part.method.uppercased()) != nil else {
            return ServiceFailure(.badRequest, "“\(part.method)” is not a method.").response
        }
        return ServiceFailure(.notFound, "\(part.url) is not in this service.").response
    }

    /// Nil if its URL is outside the service.
    private func request(_ part: BatchPart, scope: BatchScope) -> ServiceRequest? {
        guard let url = call.root.relative(reference: scope.resolved(part.url)),
            let method = HTTPRequest.Method(rawValue: part.method.uppercased())
        else { return nil }
        var headers = scope.resolved(part.fields)
        let inherited: [HTTPField.Name] = call.request.isV2 ? [] : [.oDataVersion, .oDataMaxVersion]
        for name in inherited where headers[name] == nil {
            headers[name] = call.headers[name]
        }
        let request = ServiceRequest(
            method: method, url: scope.resolved(url), headers: headers, body: ByteContent(part.body),
            root: call.root.url, context: call.request.context, batch: scope, isV2: call.request.isV2)
        return request.isV2 ? (try? V2RequestAdapter.untunnelled(request)) ?? request : request
    }

    private mutating func remember(_ part: BatchPart, url: String, response: ServiceResponse) {
        guard let id = part.id, response.head.status.kind == .successful else { return }
        let location = response.head.headerFields[.location].flatMap { call.root.relative(reference: $0) }
        scope.finished[id] = location ?? RequestURL(url).path
        scope.etags[id] = response.head.headerFields[.eTag]
    }

    /// Returns whether `response` is not an error.
    @discardableResult
    private mutating func append(
        _ response: ServiceResponse, to part: BatchPart, isInGroup: Bool = true
    ) async throws -> Bool {
        let (response, bytes) = try await collected(response, of: part)
        let status = response.head.status
        if let id = part.id, status.kind != .successful { failed.insert(id) }
        size += bytes.count
        let headers = response.head.headerFields.map { ($0.name.rawName, $0.value) }
        responses.append(
            BatchItemResponse(
                id: part.id, status: status.code, headers: headers, body: bytes,
                atomicityGroup: isInGroup ? part.atomicityGroup : nil))
        return status.code < 400
    }

    /// The response with its body. A body that breaks off or is too long fails a read, but not a change that has
    /// happened: its response does not have it.
    private func collected(
        _ response: ServiceResponse, of part: BatchPart
    ) async throws -> (response: ServiceResponse, bytes: [UInt8]) {
        let limits = service.configuration.limits
        do {
            let room = min(limits.batchSize, limits.batchResponseSize) - size
            return (response, try await call.request.context.ending { try await response.body.collect(upTo: room) })
        } catch {
            if ["GET", "HEAD"].contains(part.method) {
                let failure = ServiceFailure(error).response
                return (failure, try await failure.body.collect(upTo: .max))
            }
            var fields = response.head.headerFields
            fields[.contentType] = nil
            fields[.contentLength] = nil
            return (ServiceResponse(.noContent, headers: fields), [])
        }
    }
}
