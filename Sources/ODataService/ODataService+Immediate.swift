import HTTPTypes
import ODataStores

/// Responses without a wait: short reads of a store that knows which ones are, and documents that are kept.
///
/// Whatever is out of the ordinary, errors included, is left to the way of all other requests.
extension ODataService: ImmediateResponder {
    package func immediateResponse(
        to message: HTTPRequest, root: String, context: ResponderContext
    ) -> ServiceResponse? {
        guard observation.isOn else { return respondNow(to: message, root, context) }
        return observation.observingNow(message) { respondNow(to: message, root, context) }
    }

    private func respondNow(
        to message: HTTPRequest, _ root: String, _ context: ResponderContext
    ) -> ServiceResponse? {
        guard message.method == .get, let store = immediateStore, let metadata = metadata.latest,
            let url = ServiceRoot(root).relative(path: message.path ?? "/")
        else { return nil }
        let request = ServiceRequest(
            method: .get, url: url, headers: message.headerFields, body: .empty, root: root, context: context)
        guard isOrdinary(request), let call = try? bindImmediately(request, metadata: metadata),
            let handler = try? route(call).action as? any ImmediateHandler,
            let response = try? handler.immediateResponse(to: call, from: store)
        else { return nil }
        return complete(response, to: .get, version: call.version)
    }

    /// Whether the request is one of V4, and not about an upload or a response that is made asynchronously.
    private func isOrdinary(_ request: ServiceRequest) -> Bool {
        guard !request.url.hasPrefix(UploadRequest.prefix), !request.parts.path.hasPrefix(AsynchronousRequest.prefix),
            UploadFields.isComplete(request.headers) == nil
        else { return false }
        if configuration.publishesV2, V2RequestAdapter.entered(request) != nil { return false }
        return !request.headers.contains(.prefer) || !Preferences(request.headers).respondsAsync
    }
}

extension CrossOriginResponder: ImmediateResponder {
    package func immediateResponse(
        to request: HTTPRequest, root: String, context: ResponderContext
    ) -> ServiceResponse? {
        guard request.headerFields[.origin] == nil, let next = next as? any ImmediateResponder else { return nil }
        return next.immediateResponse(to: request, root: root, context: context)
    }
}
