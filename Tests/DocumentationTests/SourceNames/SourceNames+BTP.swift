extension SourceNames {
    /// Of the reference of `SAPOfflineOData` of the BTP SDK for iOS, and of what its guides use of `SAPOData`.
    static let btp = provider + delegates + requests + services

    private static let provider: [String] = [
        "OfflineODataProvider(serviceRoot:parameters:sapURLSession:delegate:)", "OfflineDataService",
        "OfflineDataServiceAsync", "syncProvider", "providerParameters", "serviceOptions", "libraryVersion",
        "open(completionHandler:)", "close()", "clear()", "OfflineODataProvider.clear(at:withName:)",
        "download(completionHandler:)", "download(withSubset:completionHandler:)", "upload(completionHandler:)",
        "upload(categories:completionHandler:)", "CancelToken", "cancelDownload()", "cancelUpload()",
        "hasPendingDownload()", "hasPendingUpload()", "requestQueueIsEmpty()", "add(definingQuery:)",
        "OfflineODataDefiningQuery(name:query:automaticallyRetrievesStreams:)", "automaticallyRetrievesStreams",
        "undoPendingChanges", "getQueuedRequests", "getFailedRequests", "cancelPendingRequests(_:)",
        "PendingRequest", "loadMetadata()", "processBatch(_:)",
        "OfflineODataParameters", "storeName", "storePath", "storeEncryptionKey", "pageSize", "urlSuffix",
        "customHeaders", "customCookies", "extraStreamParameters", "extraDatabaseConnectionParameters",
        "enableRepeatableRequests", "enableRequestQueueOptimization", "enableIndividualErrorArchiveDeletion",
        "enableClientOnlyMetadata", "isRemoving", "sendStore", "enableUndoLocalCreation", "enableTransactionBuilder",
        "autoRegisterClient", "cloudProgressPullInterval",
        "currentUser", "forceUploadOnUserSwitch",
        "OfflineODataServiceOptions.supportsBatch", "supportsPatch", "supportsBind", "csdlOptions",
        "SAPURLSession", "serviceRoot",
    ]

    private static let delegates: [String] = [
        "OfflineODataProviderDelegate", "OfflineODataDelegate", "offlineODataProvider(_:didUpdateOpenProgress:)",
        "offlineODataProvider(_:didUpdateDownloadProgress:)",
        "offlineODataProvider(_:didUpdateFileDownloadProgress:)",
        "offlineODataProvider(_:didUpdateUploadProgress:)",
        "offlineODataProvider(_:didUpdateSendStoreProgress:)", "offlineODataProvider(_:requestDidFail:)",
        "offlineODataProvider(_:stateDidChange:)", "OfflineODataStoreState",
        "OfflineODataProviderOperationProgress", "OfflineODataProviderDownloadProgress", "operationId",
        "currentStepNumber", "totalNumberOfSteps", "step", "parameters", "defaultMessage", "OfflineODataProgress",
        "OfflineODataFileDownloadProgress", "bytesReceived", "fileSize",
        "OfflineODataFailedRequest", "httpStatusCode", "requestID", "customTag", "errorCode", "errorMessage",
        "innerError", "requestHTTPMethod", "requestURL", "requestBody",
        "OfflineODataError", "OfflineODataErrorName",
    ]

    private static let requests: [String] = [
        "OfflineODataRequestOptions", "unmodifiableRequest", "removeCreatedEntityAfterUpload", "transactionID",
        "UploadCategory", "updateMode", "preferNoContent", "sendEmptyUpdate", "HTTPHeaders",
        "RequestQueue", "OfflineODataRequest", "RequestQueue.DependentRequests", "RequestQueue.AffectedEntity",
        "RequestQueue.CustomHeaders", "OfflineODataCustomHeader",
        "ErrorArchive", "OfflineODataErrorArchiveEntity", "ErrorArchive.Domain", "affectedEntity", "code",
        "HTTPStatusCode", "Message", "InnerError", "RequestMethod", "RequestURL", "RequestBody",
        "EventLog", "OfflineODataEvent", "eventType", "time", "details",
        "OfflineODataQueryFunction.isLocal()", "OfflineODataQueryFunction.hasPendingChanges()",
        "OfflineODataQueryFunction.inErrorState()", "OfflineODataQueryFunction.entityExists(_:)",
    ]

    private static let services: [String] = [
        "DataService", "DataQuery", "DataQuery.invoke", "executeQuery(_:)", "entityList()", "count()",
        "fetchSalesOrders(matching:)", "filter", "orderBy", "expand", "top", "loadEntity(_:)",
        "loadProperty(_:into:)", "createEntity(_:)", "updateEntity(_:)", "deleteEntity(_:)",
        "createLink(from:property:to:)", "updateLink(from:property:to:)", "deleteLink(from:property:)",
        "ChangeSet", "applyChanges(_:)", "RequestBatch", "EntityValue", "EntityValue.isLocal",
        "EntityValue.hasPendingChanges", "EntityValue.inErrorState", "createMedia(entity:content:)",
        "downloadMedia(entity:)", "readAndClose()", "uploadMedia(entity:content:)", "deleteStream(entity:link:)",
        "mediaStream.isOffline", "ByteStream.fromFile(_:)", "ByteStream.fromBinary(data:)", "mediaType",
    ]
}
