/// The rows of a block, as values of Swift are taken from them. An object: it is handed on for each value.
public final class SlotSource: Sendable {
    package let block: RowBlock

    package init(_ block: RowBlock) { self.block = block }

    /// The bytes of a slot of kind `text`, `bytes` or `json`.
    public func bytes(of slot: Slot) -> ArraySlice<UInt8> { block.buffer[slot.span.range] }

    /// The value of a slot; nil for an absent one, and for one that is none of the type.
    public func value(of slot: Slot, _ type: SlotType) -> Value? {
        block.value(of: slot, type: type.type, model: type.model)
    }
}

/// The type that the model gives a slot. An object, as ``SlotSource`` is.
public final class SlotType: Sendable {
    /// The property's type, a collection too.
    public let type: TypeReference
    /// Where it is a single value of a primitive type.
    public let primitive: PrimitiveType?
    package let model: Model

    package init(_ type: TypeReference, model: Model) {
        (self.type, self.model, primitive) = (type, model, type.primitive)
    }
}
