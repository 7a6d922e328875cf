import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores

/// A preference of a read: a wish, which the service may ignore.
struct ReadPreference: Hashable, Sendable {
    /// Without `odata.`: `maxpagesize`
    var name: String
    /// `odata.maxpagesize=1000`
    var text: String

    init(_ name: String, _ value: String? = nil) {
        self.name = name
        text = "odata.\(name)" + (value.map { "=\($0)" } ?? "")
    }

    func refusal(at path: ResourcePath) -> LearnedTraits.Refusal {
        LearnedTraits.Refusal(name, of: path.preferenceResource)
    }
}

extension OnlineStore {
    /// Sends a read with the preferences that the service takes there. Refused, it is sent again without; what the
    /// service refuses so for a second time is not asked for at that set any more.
    ///
    /// [OData-Protocol, section 8.2.8]
    func response(
        to outgoing: OutgoingRequest, preferring preferences: [ReadPreference], of request: ReadRequest
    ) async throws -> OnlineResponse {
        let path = request.query.path
        let preferences = preferences.filter { !service.traits.isRefused($0.refusal(at: path)) }
        do { return try await service.send(outgoing.preferring(preferences)) } catch let error as ODataError
            where !preferences.isEmpty && !request.isTentative && request.mayBeRefusedForExtra(error)
        {
            let (response, refused) = try await response(to: outgoing, without: preferences, after: error)
            for preference in refused { service.traits.noteRefused(preference.refusal(at: path)) }
            return response
        }
    }

    /// - Returns: The response to the request with as many of the preferences as the service takes, and those that it
    ///   does not.
    /// - Throws: `error`, if the preferences are not what the service refuses.
    private func response(
        to outgoing: OutgoingRequest, without preferences: [ReadPreference], after error: ODataError
    ) async throws -> (OnlineResponse, refused: [ReadPreference]) {
        func response(preferring preferences: [ReadPreference]) async throws -> OnlineResponse? {
            do { return try await service.send(outgoing.preferring(preferences)) } catch let failure as ODataError {
                if failure.code == .cancelled || failure.code == .unreachable { throw failure }
                return nil
            }
        }
        guard let plain = try await response(preferring: []) else { throw error }
        // A service that was not well for a moment refuses nothing.
        if error.code == .internalError, let whole = try await response(preferring: preferences) { return (whole, []) }
        guard preferences.count > 1 else { return (plain, preferences) }
        for preference in preferences {
            if let rest = try await response(preferring: preferences.filter { $0 != preference }) {
                return (rest, [preference])
            }
        }
        return (plain, preferences)
    }
}

extension OutgoingRequest {
    fileprivate func preferring(_ preferences: [ReadPreference]) -> OutgoingRequest {
        var request = self
        // What the app sends in this place is the app's affair.
        guard request.fields[.prefer] == nil else { return request }
        for preference in preferences { request.fields.prefer(preference.text) }
        return request
    }
}

extension ResourcePath {
    /// What refused preferences are remembered by: the entity set, else the path without keys and options.
    var preferenceResource: String { entitySet?.name ?? String(url.prefix { !"(?".contains($0) }) }
}
