extension Value {
    /// The V4 JSON text of this value, strings quoted and escaped.
    public var jsonText: [UInt8] { [] }

    /// Reads the V4 JSON text of a value of `type`; nil if it is none.
    public init?(jsonText: ArraySlice<UInt8>, type: TypeReference, model: Model) {
        return nil
    }
}
