/// Where the stores differ, and which is right.
extension TwinChange.Agreement {
    // The device can do less than the direct store.
    static let contained = known("a device does not change contained entities")
    static let deepUpdate = known("a device does not change nested entities")
    static let insertion = known("a device does not insert members into collections of values")
    /// OData-Protocol 11.4.4: an update that finds nothing creates, where the request allows it.
    static let upsert = known("a device does not create by updates")
    /// OData-Protocol 11.4.3: bindings are for creations and updates.
    static let dependentBinding = known("a device binds dependent entities only when it creates")

    // The device is wrong.
    /// Core.Immutable: an update does not change the property. The service ignores the value, and the device shows it.
    static let immutable = known("a device changes an immutable property")
    /// Core.Computed and Core.Immutable: alone they cannot be set.
    static let fixedProperty = known(
        "a device accepts the change of a property that cannot be changed")
    /// Capabilities.InsertRestrictions and the like.
    static let restriction = known("a device does not read what the metadata forbid")
    /// OData-CSDL 8.6: without OnDelete the service decides; the device shows references to nothing until a download.
    static let dependents = known(
        "a device leaves the entities that refer to a deleted one as they are")
    /// OData-Protocol 11.4.3: omitted members of a new complex value have their default values.
    static let members = known("a device leaves omitted members of new complex values out")
    /// The binding of the first entity changes its ETag, and the update that a device sends for it has the old one.
    static let boundETags = known(
        "a device sends updates of bound entities with ETags that are old by then")
    /// OData-Protocol 11.4.6: $ref takes conditions.
    static let referenceCondition = known("a device does not check conditions of $ref")
    /// OData-Protocol 11.4.7 and RFC 9110, 13.1.2: also changes of streams have If-None-Match.
    static let streamCondition = known("a device does not check If-None-Match of streams")
    /// OData-Protocol 11.4.6.2: a reference that is not there is not found.
    static let missingMember = known("a device removes a reference that is not there")
    /// OData-Protocol 11.4.6.2: the removal of a reference that is null succeeds.
    static let emptyReference = known("a device does not find a reference that is null")
    /// RFC 9110, 15.5.6: 405.
    static let method = known(
        "a device refuses POST to an entity as badRequest, not methodNotAllowed")
    /// RFC 9110, 15.5.16: 415.
    static let mediaType = known(
        "a device refuses a stream for a set without media entities as badRequest")
    /// OData-Protocol 11.4.7.1: the body of a POST is the stream.
    static let mediaEntity = known("the direct store creates a media entity without a stream")

    // The direct store is wrong.
    /// OData-Protocol 11.4.2.2: a single-valued navigation property has one entity.
    static let twoEntities = known(
        "the direct store creates two entities for a single-valued navigation property")
    /// An entity is not deleted by the removal of a reference that is part of its key.
    static let part = known(
        "the direct store deletes an entity whose key holds the removed reference")
    /// Two payloads for one entity contradict each other.
    static let sameKey = known("the direct store applies both payloads of one entity")
    /// What is given beside a stream belongs to the creation, so that immutable values count.
    static let mediaProperties = known("the direct store creates media entities in two transactions")
    /// `ChangeResult.Outcome.deleted` is said of streams too.
    static let streamOutcome = known(
        "the direct store calls the deletion of a stream property an update")
    /// A stream is not a value: OData-JSON 9.
    static let streamValue = known("the direct store ignores a value for a stream property")

    // Neither is wrong.
    /// One fault, one code, two texts.
    static let text = known("the stores have two texts for one fault")
    /// The entity may be at the service, so that the device cannot say that it does not exist.
    static let missingReference = known("a device says that the entity is not in the store")
    /// OData-Protocol 8.2.4: the ETag of the stream counts; the direct store accepts that of the entity too.
    static let entityETag = known("the direct store accepts the ETag of the entity for its stream")
    /// RFC 9110, 13.2.1: conditions count where the request would succeed without them.
    static let nothingMatches = known("a device reports a missing entity before the condition")
}
