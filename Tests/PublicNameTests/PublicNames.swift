import Foundation
import GRDB
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import OData
import Observation
import RegexBuilder
import Synchronization
import Testing

/// The public top-level types of the modules that `import OData` exports, each without its module, beside what apps
/// import too: one that another module has does not compile. `Scripts/check-documentation` finds those that are missing.
enum PublicNames {
    static let byteStreams: [Any.Type] = [
        (any BlockingByteReader).self, (any BlockingByteSource).self, ByteChunks.self, ByteContent.self,
        (any ByteSource).self, ByteStreamError.self, DataSource.self, FileSource.self, HandleSource.self,
        JoinedSource.self, SequenceSource.self, SliceSource.self, SourceDigest.self, SourceIdentity.self,
        SourceInputStream.self,
    ]

    static let encryptionKeys: [Any.Type] = [
        EncryptionError.self, EncryptionKey.self, KeyFile.self,
    ]

    static let foundationValues: [Any.Type] = [
        (any EdmConvertible).self
    ]

    static let attachments: [Any.Type] = [
        (any AttachmentBackEnd).self, AttachmentDetails.self, AttachmentDraft.self, AttachmentLimits.self,
        AttachmentManager.self, AttachmentOwner.self, AttachmentResult.self, AttachmentSetBackEnd.self,
        AttachmentStatus.self, EntityAttachment.self, MediaEntityBackEnd.self, PostedAttachment.self,
        RemoteAttachment.self, StreamPropertyBackEnd.self,
    ]

    static let formats: [Any.Type] = [
        CSDL.self, CSDLDocument.self, FormatError.self, PayloadKind.self, PayloadLimits.self,
    ]

    static let model: [Any.Type] = [
        (any ComplexPropertyValue).self, DocumentDiagnostic.self, (any EdmAnnotated).self, EdmAnnotation.self,
        EdmComplexValue.self, EdmDate.self, EdmDateTimeOffset.self, EdmDecimal.self, EdmDuration.self, EdmEntity.self,
        EdmEntitySet.self, EdmEntitySetDeclaration.self, EdmEnumType.self, EdmFacets.self, EdmGeo.self, EdmGuid.self,
        EdmModel.self, EdmModelError.self, EdmNavigationProperty.self, EdmOperationDeclaration.self,
        EdmOperationImport.self, EdmPrimitiveType.self, EdmProperty.self, EdmQualifiedName.self, EdmReference.self,
        EdmSchema.self, EdmStructuredType.self, EdmStructuredTypeDeclaration.self, EdmTargetedAnnotations.self,
        EdmTerm.self, EdmTimeOfDay.self, EdmTypeDefinition.self, EdmTypeReference.self, EdmValue.self,
        EntityAssembler.self, EntityKey.self, (any EntityReader).self, (any EnumerationValue).self,
        (any FlagsValue).self, (any IntegerPropertyValue).self, ODataVersion.self, (any PropertyValue).self,
        RowBlock.self, RowBlocks.self, RowDiagnostic.self, RowExpansion.self, RowHeader.self, RowMedia.self,
        RowShape.self, RowSlot.self, RowSlotSource.self, RowSlotType.self, RowSpan.self, ServiceError.self,
        (any TextPropertyValue).self, TextValueError.self,
    ]

    static let offline: [Any.Type] = [
        ChangeConflict.self, ConflictResolution.self, ConflictResolver.self, DeepInsertForm.self, DefiningQuery.self,
        DownloadProgress.self, DownloadReport.self, ErrorEntry.self, EventCounts.self, ExactlyOnce.self,
        LiveQuery.self, MediaUse.self, ModelDifference.self, NetworkCondition.self, (any NetworkMonitor).self,
        OfflineStore.self, OpenChangeSet.self, QueryChanges.self, QueueEntry.self, RebuildReport.self, RefreshMode.self,
        ReportedNetwork.self, RequestOptions.self, StoreCheck.self, StoreEvent.self, StoreStatus.self,
        StreamEntry.self, SyncInterruption.self, SyncProgress.self, SyncReport.self, SyncRequirement.self,
        SyncScheduler.self, SyncState.self, SyncWork.self, ThumbnailImage.self, (any ThumbnailMaker).self,
        ThumbnailProgram.self, UnconfirmedRequest.self, UndoPlan.self, UndoScope.self, UploadInterruption.self,
        UploadProgress.self, UploadReport.self,
    ]

    static let online: [Any.Type] = [
        OnlineStore.self, ResponseCache.self, StreamUploadMethod.self,
    ]

    static let query: [Any.Type] = [
        AggregateItem.self, ApplyExpression.self, BinaryOperator.self, BoundQuery.self, BoundResource.self,
        CanonicalFunction.self, CollectionOperand<String>.self, ComplexCollectionOperand<DynamicElement>.self,
        ComplexOperand<DynamicElement>.self, ComputeItem.self, CustomOption.self, DynamicElement.self,
        DynamicFields.self, EntityPayload.self, EntityReference.self, ExpandItem.self, ExpandedStream.self,
        ExpressionText.self, FieldPath.self, (any FractionalPropertyValue).self, GroupingItem.self, HierarchyTest.self,
        HierarchyTraversal.self, LambdaOperator.self, (any NavigationField).self, NestItem.self,
        (any NumericPropertyValue).self, OperationCall.self, OrderItem.self, PropertyPath.self, QueryCondition.self,
        (any QueryElement).self, QueryError.self, QueryExpression.self, (any QueryFields).self, QueryLimits.self,
        QueryOperand<Int>.self, QueryOptions.self, QueryParser.self, RankingTransformation.self,
        RecursiveHierarchy.self, RecursiveRollup.self, RelatedNodes.self, ResourcePath.self, SearchExpression.self,
        SelectItem.self, SetTransformation.self, StreamField.self, ToMany<DynamicElement>.self,
        ToManyPath<DynamicElement>.self, ToOne<DynamicElement>.self, (any WholePropertyValue).self,
    ]

    static let sqlite: [Any.Type] = [
        ComputedValue.self, MediaColumn.self, SQLiteStore.self, StoredEntity.self, TableRules.self,
    ]

    static let stores: [Any.Type] = [
        ActionPlan.self, ActionResult.self, ChangeRequest.self, ChangeResult.self, CollectionChangeSet.self,
        (any CollectionElement).self, CollectionPages<DynamicEntity>.self, CollectionSnapshot<DynamicEntity>.self,
        CollectionUpdates<DynamicEntity>.self, DynamicEntity.self, ElementSource.self,
        EntityCollection<DynamicEntity>.self, EntityCollections.self, ExpandedCollection<DynamicElement>.self,
        EntityID.self, ExpandedEntity<DynamicEntity>.self, FunctionCall.self,
        GroupedCollection<DynamicEntity, String>.self,
        HeaderField.self, LiveDifference.self, LiveResult.self, (any LiveStore).self, MediaContent.self,
        NavigationPropertyState.self, (any NetworkPolicy).self, ODataError.self, (any ODataStore).self,
        (any OpenTypedEntity).self, OperationHandlers.self, OperationInvocation.self, OperationResult.self,
        OperationStore.self, ProjectedCollection<String, Int>.self, ReadRequest.self, ReadResult.self,
        RelatedEntities.self, RepeatabilityHeaders.self, StreamEvent.self, StreamEvents.self, StreamHandle.self,
        StreamRequest.self, StreamResult.self, TransferSnapshot.self, (any TypedEntity).self, TypedRow.self,
        UploadJob.self, (any UploadMethod).self, UploadSession.self, UploadStep.self, (any UploadingStore).self,
        ValueUpdates<Int>.self,
    ]

    static let transport: [Any.Type] = [
        BasicAuthentication.self, BearerAuthentication.self, CSRFProtection.self, CookieJar.self,
        CookieMiddleware.self, (any HTTPMiddleware).self, TransportResponse.self, (any HTTPTransport).self,
        HeaderMiddleware.self, LoggingMiddleware.self, NextTransport.self, RedirectMiddleware.self,
        RetryMiddleware.self, RetryTable.self, TransportContext.self, TransportError.self,
    ]

    static let handlers: [Any.Type] = [ActionPlanner.self, FunctionHandler.self]

    static func generated<Element: TypedEntity>(_: Element.Type) -> [Any.Type] { [EntityOrigin<Element>.self] }
}
