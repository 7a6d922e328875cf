extension SourceNames {
    /// Of the guides and headers of the Object API for iOS of Sybase Unwired Platform.
    static let mbo: [String] = database + callbacks + queries + objects

    private static let database: [String] = [
        "createDatabase", "databaseExists", "openConnection", "setConnectionProfile:", "getSynchronizationProfile",
        "subscribe", "isSubscribed", "generateEncryptionKey", "SUPConnectionProfile", "changeEncryptionKey:",
        "SUPSynchronizationGroup", "getSynchronizationGroup:", "synchronize", "synchronize:", "beginSynchronize",
        "beginSynchronizeForGroups:withContext:", "getChangeLogs:", "enableChangeLog", "disableChangeLog",
        "deleteChangeLogs", "synchronizeWithListener:",
        "SUPSyncStatusListener", "isReplayQueueEmpty", "recover", "unsubscribe", "closeConnection", "cleanAllData",
        "cleanAllData:", "deleteDatabase", "generateId", "generateLocalId", "beginTransaction", "SUPLocalTransaction",
        "getLogRecords", "submitLogRecords", "onlineLogin", "beginOnlineLogin", "loginToSync", "getOnlineLoginStatus",
        "setEnableSIS:", "startBackgroundSynchronization", "stopBackgroundSynchronization",
        "getBackgroundSyncRequests", "suspendSubscription", "resumeSubscription", "offlineLogin",
        "SUPPersonalizationParameters", "SUPApplication", "getConnectionProfile", "initialSync", "onMessageStart",
        "getSchemaVersion", "getProtocolVersion", "getDomainName", "getRemoteId", "getSyncUsername",
    ]

    private static let callbacks: [String] = [
        "onSubscribeSuccess", "onSynchronize:withContext:", "onSynchronizeSuccess", "onRecoverSuccess",
        "onRecoverFailure", "onResetSuccess", "onUnsubscribeSuccess", "onUnsubscribeFailure", "onSubscriptionEnd",
        "onReplaySuccess:", "onReplayFailure:", "SUPCallbackHandler", "SUPDefaultCallbackHandler",
        "registerCallbackHandler:", "beforeImport:", "onImport:", "onImportSuccess", "onTransactionCommit",
        "onTransactionRollback", "onMessageException:", "onLoginFailure", "onLoginSuccess",
        "onConnectionStatusChange", "onSubscribeFailure", "onSynchronizeFailure", "onSuspendSubscriptionSuccess",
        "onSuspendSubscriptionFailure", "onResumeSubscriptionSuccess", "onResumeSubscriptionFailure",
        "onApplicationConnectionPropertyChange::", "onStorageSpaceLow", "onStorageSpaceRecovered", "onSearchSuccess:",
        "onSearchFailure:",
    ]

    private static let queries: [String] = [
        "SUPQuery", "findWithQuery:", "SUPTestCriteria", "testCriteria", "where:", "SUPCompositeTest",
        "SUPCompositeTest_AND", "SUPCompositeTest_OR", "SUPCompositeTest_NOT", "SUPSortCriteria", "SUPSortOrder",
        "orderBy::", "thenBy::", "skip", "take", "select:", "getSize:", "SUPAttributeTest_EQUAL",
        "SUPAttributeTest_NOT_EQUAL", "SUPAttributeTest_LESS_THAN", "SUPAttributeTest_LESS_EQUAL",
        "SUPAttributeTest_GREATER_THAN", "SUPAttributeTest_GREATER_EQUAL", "SUPAttributeTest_IN",
        "SUPAttributeTest_NOT_IN", "SUPAttributeTest_IS_NULL", "SUPAttributeTest_NOT_NULL",
        "SUPAttributeTest_STARTS_WITH", "SUPAttributeTest_NOT_STARTS_WITH", "SUPAttributeTest_ENDS_WITH",
        "SUPAttributeTest_NOT_ENDS_WITH", "SUPAttributeTest_CONTAINS", "SUPAttributeTest_NOT_CONTAINS",
        "SUPAttributeTest_LIKE", "SUPAttributeTest_NOT_LIKE", "SUPAttributeTest_MATCH", "SUPAttributeTest_NOT_MATCH",
        "SUPAttributeTest", "NOT_EXISTS", "executeQuery:", "SUPQueryResultSet", "SUPDatabaseMetaData",
        "SUPEntityMetaData", "SUPAttributeMetaData", "SUPDataValueList", "SUPDataValue", "groupBy:", "from::",
        "join::::", "equal::", "notEqual::", "isNull:", "like::", "match::", "lessThan::", "contains::",
        "startsWith::", "endsWith::", "selectItems", "entityAlias", "joinCriteria", "groupItems", "entityFilter",
    ]

    private static let objects: [String] = [
        "findAll", "find:", "findByPrimaryKey:", "load:", "SUPObjectNotFoundException", "findByCity:",
        "findByCity:skip:take:", "SUPObjectList", "size", "clearRelationshipObjects", "create", "update", "save",
        "delete", "refresh", "surrogateKey", "isDirty", "isNew", "originalState", "getOriginalState", "pending",
        "pendingChange", "isCreated", "isUpdated", "isDeleted", "getPendingObjects", "getPendingObjects::",
        "getReplayPendingObjects", "replayPending", "replayCounter", "submitPending", "submitPendingOperations",
        "submitPendingOperations:", "disableSubmit", "cancelPending", "cancelPendingOperations",
        "cancelPendingOperations:", "getInstance", "replayFailure", "SUPPersistenceException",
        "SUPSynchronizeException", "SUPBigBinary", "SUPBigString",
    ]

    /// Of the headers of POSInputStreamLibrary, and of what they take over of `NSInputStream`.
    static let pos: [String] = streams + dataSources

    private static let streams: [String] = [
        "pos_inputStreamWithAssetURL:asynchronous:", "pos_inputStreamWithAssetURL:", "initWithDataSource:",
        "POSBlobInputStream", "open", "read:maxLength:", "hasBytesAvailable", "streamStatus", "streamError",
        "POSBlobInputStreamErrorDomain", "POSBlobInputStreamErrorCodeDataSourceFailure", "close", "delegate",
        "stream:handleEvent:", "NSStreamEventOpenCompleted", "NSStreamEventHasBytesAvailable",
        "NSStreamEventEndEncountered", "NSStreamEventErrorOccurred", "scheduleInRunLoop:forMode:",
        "removeFromRunLoop:forMode:", "setProperty:forKey:", "NSStreamFileCurrentOffsetKey", "propertyForKey:",
        "pos_inputStreamForCFNetworkWithAssetURL:", "pos_inputStreamForAFNetworkWithAssetURL:",
        "shouldNotifyCoreFoundationAboutStatusChange", "URLSession:task:needNewBodyStream:",
        "pos_assetForURL:resultBlock:failureBlock:", "getBuffer:length:",
    ]

    private static let dataSources: [String] = [
        "openSynchronously", "POSFastAssetReader", "POSBlobInputStreamAssetDataSourceErrorDomain",
        "POSBlobInputStreamAssetDataSourceErrorCodeRead", "POSBlobInputStreamAssetDataSourceErrorCodeOpen",
        "openDispatchQueue", "sharedOpenDispatchQueue", "POSBlobInputStreamDataSource",
        "POSBlobInputStreamBaseAssetDataSource", "openCompleted", "POSBlobInputStreamDataSourceOpenCompletedKeyPath",
        "initWithAssetID:", "abstract_openAssetWithID:completionBlock:", "openFromOffset:completionHandler:",
        "prepareForNewOffset:", "POSAssetReader", "read:fromOffset:maxLength:error:", "atEnd",
        "POSBlobInputStreamDataSourceAtEndKeyPath", "hasBytesAvailableFromOffset:",
        "POSBlobInputStreamDataSourceHasBytesAvailableKeyPath", "error", "POSBlobInputStreamDataSourceErrorKeyPath",
        "initWithAssetID:temporaryFolderPath:", "POSBlobInputStreamPHAssetDataSource", "initWithAssetURL:",
        "POSBlobInputStreamAssetDataSource", "adjustedImageMaximumSize", "adjustedJPEGCompressionQuality",
        "POSAdjustedAssetReaderIOS7", "POSAdjustedAssetReaderIOS8", "POSImageReaderIOS8",
    ]

    /// Of the headers of the ArcGIS Runtime SDK for iOS, as far as they concern attachments.
    static let arcGIS: [String] = layers + attachmentManagers

    private static let layers: [String] = [
        "initWithURL:mode:", "initWithURL:mode:credential:", "initWithURL:mode:error:",
        "initWithURL:mode:credential:error:", "featureServiceLayerWithURL:mode:",
        "featureServiceLayerWithURL:mode:credential:", "AGSFeatureLayer", "AGSCredential", "initWithToken:",
        "hasAttachments", "canUpdateFeature:", "canUpdate", "attachmentManagerForFeature:", "clearAttachmentManagers",
        "clearAttachmentManagerForFeatureWithObjectId:", "updateAttachment:data:filename:contentType:attachmentId:",
        "queryAttachmentInfosForObjectId:", "featureLayer:operation:didQueryAttachmentInfosWithResults:",
        "featureLayer:operation:didFailQueryAttachmentInfosWithError:", "retrieveAttachmentForObjectId:attachmentId:",
        "featureLayer:operation:didRetrieveAttachmentWithData:",
        "featureLayer:operation:didFailRetrieveAttachmentWithError:", "addAttachment:data:filename:contentType:",
        "addAttachment:data:filename:", "addAttachment:filepath:contentType:", "addAttachment:filepath:",
        "updateAttachment:data:filename:attachmentId:", "deleteAttachmentsForObjectId:attachmentIds:",
        "editingDelegate", "AGSFeatureLayerEditingDelegate", "AGSFeatureLayerAttachmentResults",
        "featureLayer:operation:didAttachmentEditsWithResults:",
        "featureLayer:operation:didFailAttachmentEditsWithError:", "AGSCredentialCache",
    ]

    private static let attachmentManagers: [String] = [
        "attachments", "featureObjectId", "featureLayer", "downloadAttachmentInfos",
        "attachmentManager:didDownloadAttachmentInfos:", "downloadAttachmentInfosError", "attachmentForId:",
        "attachmentId", "AGSAttachmentInfo", "attachmentInfo", "AGSAttachment", "name", "contentType", "size",
        "isEqualToAttachmentInfo:", "cancelDownloadAttachmentInfos", "downloadAttachmentDataForId:",
        "attachmentManager:didDownloadDataForAttachment:", "isDownloading", "data", "filepath", "isLocal",
        "cancelDownloadDataForId:", "cancelAllDownloadDataOperations", "addAttachmentWithData:name:contentType:",
        "markAttachment:forDeletion:", "markForDeletion:", "hasLocalEdits", "editState", "AGSAttachmentEditState",
        "AGSAttachmentEditStateOriginal", "AGSAttachmentEditStateAdded", "AGSAttachmentEditStateMarkedForDeletion",
        "AGSAttachmentEditStateDeletedFromServer", "existsOnServer", "cancelLocalEdits", "postLocalEditsToServer",
        "attachmentManager:didPostLocalEditsToServer:", "cancelPostLocalEditsToServer", "networkError",
        "editResultError", "AGSEditResultError", "delegate", "AGSAttachmentManagerDelegate", "postingLocalEdits",
        "addAttachmentAsJpgWithImage:name:", "addAttachmentWithUIImagePickerControllerInfoDictionary:completion:",
        "thumbnail", "addAttachmentWithUIImagePickerControllerInfoDictionary:",
    ]
}
