extension ODataStore {
    /// One after the other.
    public func batch(_ changeSets: [[ChangeRequest]]) async -> [Result<[ChangeResult], ODataError>] {
        var results: [Result<[ChangeResult], ODataError>] = []
        var stop: ODataError?
        for requests in changeSets {
            if let stop {
                results.append(.failure(stop))
                continue
            }
            do {
                if requests.count == 1, let request = requests.first {
                    results.append(.success([try await change(request)]))
                } else {
                    results.append(.success(try await changeSet(requests)))
                }
            } catch {
                let failure = ODataError(ofChange: error)
                results.append(.failure(failure))
                stop = failure.concernsAll ? failure.ofNothingSent : nil
            }
        }
        return results
    }
}

extension ODataError {
    /// Why a change has no response. Errors other than those of a store do not say whether it was executed.
    package init(ofChange error: any Error) {
        if let error = error as? ODataError {
            self = error
        } else {
            self.init(.cancelled, "The change was cut off: \(error)", cause: error)
            isOutcomeUnknown = true
        }
    }

    /// Whether other requests to the same store would fail for the same reason.
    public var concernsAll: Bool {
        switch code {
        case .unreachable, .unauthorized, .cancelled, .busy: true
        default: false
        }
    }

    /// The same for a request that was not sent at all.
    package var ofNothingSent: ODataError {
        var error = self
        error.isOutcomeUnknown = false
        error.requestIndex = nil
        return error
    }
}
