extension SourceNames {
    /// Of the headers `ODataAPI`, `ODataOnline` and `ODataOffline` of the SMP SDK 3.
    static let smp = stores + requests + payloads + media

    private static let stores: [String] = [
        "GlobalInit", "GlobalFini", "LibraryVersion", "RemoveStoreWithOptions:error:", "openStoreWithOptions:error:",
        "closeStoreWithError:", "isOpen", "offlineStoreDelegate", "requestErrorDelegate",
        "scheduleRefreshWithDelegate:", "scheduleRefreshWithRefreshSubset:delegate:",
        "scheduleFlushQueuedRequestsWithDelegate:", "getRequestQueueIsEmpty:",
        "registerStreamRequestWithName:resourcePath:error:", "unregisterStreamRequestWithName:error:",
        "SODataOfflineStoreOptions", "conversationManager", "serviceRoot", "definingRequests", "storeName",
        "storePath", "storeEncryptionKey", "host", "port", "urlSuffix", "extraStreamParms", "customHeaders",
        "customCookies", "enableHttps", "enableRepeatableRequests", "pageSize", "serverSupportsBind",
        "enableIndividualErrorArchiveDeletion", "addDefiningRequestWithName:url:retrieveStreams:",
        "SODataOfflineStoreState", "SODataOfflineStorePendingRefresh", "SODataOfflineStorePendingFlush",
        "offlineStoreStateChanged:state:", "offlineStoreOpenFinished:", "offlineStoreOpenFailed:error:",
        "offlineStoreNotification:notification:", "offlineStoreOpen:progressStatus:",
        "offlineStoreRefreshStarted:", "offlineStoreRefreshFinished:", "offlineStoreRefreshSucceeded:",
        "offlineStoreRefreshFailed:error:", "offlineStoreRefresh:progressStatus:", "SODataOfflineProgressStatus",
        "offlineStoreFlushStarted:", "offlineStoreFlushFinished:", "offlineStoreFlushSucceeded:",
        "offlineStoreFlushFailed:error:", "offlineStoreFlush:progressStatus:",
        "offlineStoreRequestFailed:request:error:",
        "SODataOnlineStore", "initWithURL:httpConversationManager:", "initWithURL:httpConversationManager:options:",
        "openStoreWithError:", "openStore:", "closeWithError:", "SODataOnlineStore.isOpen", "onlineStoreDelegate",
        "SODataOnlineStoreDelegate", "onlineStoreOpenFinished:", "onlineStoreOpenFailed:error:",
        "HttpConversationManager", "requestFormat", "useCache", "cacheEncryptionKey", "cacheSizeLimit",
        "useForceMetadataDownload", "contentIDLocation", "setPassive:error:", "isPassive", "isCacheEnabled",
        "isCacheOpen", "closeCacheWithError:", "reopenCacheWithKey:error:", "resetCache:", "resetCache:error:",
        "kSODataUseCache",
    ]

    private static let requests: [String] = [
        "scheduleRequest:delegate:", "scheduleReadEntitySet:delegate:options:",
        "scheduleReadEntityWithResourcePath:delegate:options:", "scheduleReadEntity:delegate:options:",
        "scheduleReadLinkSet:delegate:options:", "scheduleReadLink:delegate:options:",
        "scheduleReadPropertyPrimitive:delegate:options:", "scheduleReadPropertyComplex:delegate:options:",
        "scheduleReadPropertyRaw:delegate:options:", "scheduleCreateEntity:collectionPath:delegate:options:",
        "scheduleUpdateEntity:delegate:options:", "schedulePatchEntity:delegate:options:",
        "scheduleDeleteEntity:delegate:options:", "scheduleDeleteEntity:etag:delegate:options:",
        "scheduleFunction:delegate:options:",
        // Each schedule…:delegate:options: has a schedule…:options:completion: and an execute…:options:error: beside it.
        "scheduleRequest:completion:", "executeRequest:error:", "schedule…:options:completion:",
        "execute…:options:error:", "SODataStoreAsync", "SODataStoreSync", "SODataRequestDelegate",
        "SODataOfflineStoreDelegate", "SODataOfflineStoreRefreshDelegate", "SODataOfflineStoreFlushDelegate",
        "SODataOfflineStoreRequestErrorDelegate",
        "requestStarted:", "requestCacheResponse:", "requestServerResponse:", "requestFinished:",
        "requestFailed:error:", "cancelExecution", "initWithRequest:", "isCachePassive", "updatedPayload",
        "SODataRequestExecution", "SODataRequestExecution.status", "SODataRequestExecution.uniqueId",
        "SODataRequestExecution.request", "SODataRequestExecution.response",
        "SODataResponse.headers", "isBatch", "SODataResponseSingle", "payload", "payloadType",
        "SODataResponseBatch.responses", "SODataResponseChangeset",
        "SODataRequestParamSingleDefault", "initWithMode:resourcePath:", "mode", "etag", "customTag", "contentID",
        "SODataRequestModeRead", "SODataRequestModeCreate", "SODataRequestModeUpdate", "SODataRequestModePatch",
        "SODataRequestModeDelete", "SODataRequestParamBatchDefault", "batchItems", "SODataRequestChangesetDefault",
        "sap.islocal", "sap.hasPendingChanges",
    ]

    private static let payloads: [String] = [
        "allocatePropertiesOfEntity:mode:error:", "allocateNavigationProperties:error:", "SODataPropModeKeys",
        "SODataPropModeMandatory", "SODataPropModeOptional", "SODataPropModeAll",
        "determineODataTypeFromResourcePath:mode:error:", "determineEntityTypeFromResourcePath:error:",
        "determineEntitySetFromResourcePath:error:",
        "metadata", "SODataMetadata", "SODataMetadata.xml", "SODataMetadata.resourcePath", "latestResourcePath",
        "metaNamespaces", "metaEntityNames", "metaComplexNames", "metaEntityContainerNames", "metaEntityForName:",
        "metaComplexForName:", "metaEntityContainerForName:",
        "SODataEntity", "typeName", "SODataEntity.resourcePath", "editResourcePath",
        "setResourcePath:editResourcePath:", "SODataEntity.etag", "SODataEntity.properties", "SODataProperty",
        "annotationNames", "annotationForAnnotationName:", "annotationForName:namespace:", "isMediaEntry",
        "mediaLink", "editMediaLink", "mediaContentType", "mediaEtag",
        "setMediaLink:editMediaLink:mediaContentType:", "SODataNavigationProperty", "navigationPropertyNames",
        "navigationPropertyForRelationIdentifier:", "setNavigationProperty:forRelationIdentifier:",
        "navigationContent", "hasNavigationInline", "navigationType", "associationResourcePath",
        "SODataEntitySet.count", "SODataEntitySet.entities", "SODataEntitySet.resourcePath",
        "SODataEntitySet.nextResourcePath", "SODataEntitySet.deltaPath", "SODataEntitySet.deletedEntities",
        "/ErrorArchive", "RequestID", "CustomTag", "HTTPStatusCode", "Code", "Message", "InnerError",
        "RequestMethod", "RequestURL", "RequestBody",
    ]

    private static let media: [String] = [
        "scheduleMediaDownload:delegate:", "mediaDownloadStarted:", "mediaDownloadCacheResponse:result:",
        "mediaDownloadServerResponse:result:", "mediaDownloadFinished:", "mediaDownloadFailed:error:",
        "SODataDownloadMediaExecution", "SODataDownloadMediaExecution.status", "SODataDownloadMediaExecution.url",
        "SODataDownloadMediaExecution.uniqueId", "initWithURL:", "SODataDownloadMediaResult", "inputStream",
        "contentType", "contentLength", "ETag", "allHttpHeaders", "SODataUploadMedia", "SODataUploadMediaDefault",
        "initWithFileAtPath:contentType:", "initWithData:contentType:",
    ]
}
