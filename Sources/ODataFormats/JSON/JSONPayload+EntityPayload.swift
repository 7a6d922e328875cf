import ODataMetadata
import ODataModel
import ODataQuery

extension JSONPayload {
    /// Reads the body of a create or update.
    ///
    /// ```json
    /// {"Name":"Tea","Category@odata.bind":"Categories(1)","Items":[{"Quantity":2}],"Supplier":{"@id":"Suppliers(3)"}}
    /// ```
    ///
    /// - Parameters:
    ///   - isUpdate: Whether an array is all that is to be related (deep update, an empty one too), so that the
    ///     references in it are nested payloads with an id; in a create they are bindings.
    ///   - parser: Turns the ids of bindings into paths; an id that it does not understand stays a URL.
    ///   - serviceRoot: Absolute ids that start with it are of this service.
    /// - Throws: ``FormatError`` naming a property that the type does not have or whose value does not fit it.
    package static func entity(
        _ bytes: [UInt8], type: EdmStructuredType, model: EdmModel, isUpdate: Bool = false, parser: QueryParser,
        serviceRoot: String?
    ) throws(FormatError) -> EntityPayload {
        try entity(bytes, type: type, model: model, isUpdate: isUpdate) { id in
            (try? parser.entityPath(id: id, serviceRoot: serviceRoot)).map(EntityReference.path) ?? .url(id)
        }
    }

    /// Reads as ``entity(_:type:model:isUpdate:parser:serviceRoot:)``; ids become references as `reference` says.
    package static func entity(
        _ bytes: [UInt8], type: EdmStructuredType, model: EdmModel, isUpdate: Bool = false,
        limits: PayloadLimits = .default, reference: (String) -> EntityReference = { .url($0) }
    ) throws(FormatError) -> EntityPayload {
        let node = try parsed(bytes[...], limits: limits)
        let decoder = ValueDecoder(model: model, source: bytes[...], isStrict: true)
        do {
            return try withoutActuallyEscaping(reference) { (reference) throws(JSONError) in
                let reader = EntityPayloadReader(decoder: decoder, isUpdate: isUpdate, reference: reference)
                return try reader.payload(node, type: type)
            }
        } catch {
            throw FormatError(error)
        }
    }

    /// Reads `{"value":[…]}` or `{"@context":"#$delta","value":[…]}`, the body of an update of a collection.
    ///
    /// - Throws: ``FormatError`` as for one entity; the navigation property of the result is empty.
    package static func entities(
        _ bytes: [UInt8], type: EdmStructuredType, model: EdmModel, limits: PayloadLimits = .default,
        reference: (String) -> EntityReference = { .url($0) }
    ) throws(FormatError) -> EntityPayload.Nested {
        let node = try parsed(bytes[...], limits: limits)
        let decoder = ValueDecoder(model: model, source: bytes[...], isStrict: true)
        guard let value = node["value"] else {
            throw FormatError("The object has no member “value”.", offset: node.offset)
        }
        let isDelta = node.control("context")?.string?.hasSuffix("$delta") == true
        do {
            return try withoutActuallyEscaping(reference) { (reference) throws(JSONError) in
                let reader = EntityPayloadReader(decoder: decoder, isUpdate: true, reference: reference)
                return try reader.nested(value, name: "", type: type, set: nil, isDelta: isDelta)
            }
        } catch {
            throw FormatError(error)
        }
    }
}
