import ODataMetadata

/// Where the stores differ, and which is right.
extension TwinChange.Agreement {
    // The device can do less than the direct store.
    static let contained = known("a device does not change contained entities")
    static let insertion = known("a device does not insert members into collections of values")
    /// OData-Protocol 11.4.4: an update that finds nothing creates, where the request allows it.
    static let upsert = known("a device does not create by updates")

    // The device is wrong.
    /// OData-CSDL 8.6: without OnDelete the service decides; the device shows references to nothing until a download.
    static let dependents = known(
        "a device leaves the entities that refer to a deleted one as they are")
    /// OData-Protocol 11.4.3: omitted members of a new complex value have their default values.
    static let members = known("a device leaves omitted members of new complex values out")
    /// OData-Protocol 11.4.7.1: the body of a POST is the stream.
    static let mediaEntity = known("the direct store creates a media entity without a stream")

    // The direct store is wrong.
    /// What is given beside a stream belongs to the creation, so that immutable values count.
    static let mediaProperties = known("the direct store creates media entities in two transactions")

    // Neither is wrong.
    /// The entity may be at the service, so that the device cannot say that it does not exist.
    static let missingReference = known("a device says that the entity is not in the store")
}
