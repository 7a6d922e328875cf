/// The rows of a block, as values of Swift are taken from them. An object: it is handed on for each value.
public final class RowSlotSource: Sendable {
    package let block: RowBlock

    package init(_ block: RowBlock) { self.block = block }

    /// The bytes of a slot of kind `text`, `bytes` or `json`.
    public func bytes(of slot: RowSlot) -> ArraySlice<UInt8> { block.buffer[slot.span.range] }

    /// The value of a slot; nil for an absent one, and for one of another type.
    public func value(of slot: RowSlot, _ type: RowSlotType) -> EdmValue? {
        block.value(of: slot, type: type.type, model: type.model)
    }
}

/// The type that the model gives a slot. An object, as ``RowSlotSource`` is.
public final class RowSlotType: Sendable {
    /// The property's type, a collection too.
    public let type: EdmTypeReference
    /// Where it is a single value of a primitive type.
    public let primitive: EdmPrimitiveType?
    package let model: EdmModel

    package init(_ type: EdmTypeReference, model: EdmModel) {
        (self.type, self.model, primitive) = (type, model, type.primitive)
    }
}
