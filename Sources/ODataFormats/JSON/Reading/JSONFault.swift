import ODataMetadata

/// Why reading stopped, small enough to be thrown without an allocation; becomes a ``FormatError``.
struct JSONFault: Error {
    enum Reason: UInt8 {
        /// The bytes end before the value does: more may follow.
        case incomplete
        case unexpected
        case controlCharacter
        case escape
        case utf8
        case number
        case tooDeep
        /// The value is not of the property's type.
        case type
        /// The value is of the property's type, but outside its range.
        case range
        /// An object with `error` is where data is expected.
        case service
        /// A collection payload has no `value`, or one that is not an array.
        case noValue
        /// A collection is where an entity is expected.
        case collection
        /// A member is twice in one object.
        case duplicate
        /// An entity expands more entities than it may.
        case tooMany
        /// The type of an entity comes after what it expands, of which other properties were asked for that type.
        case lateType
    }

    var reason: Reason
    /// In the buffer.
    var offset: Int

    var message: String {
        switch reason {
        case .incomplete: "The payload ends in the middle of a value."
        case .unexpected: "The JSON is broken."
        case .controlCharacter: "A string contains a control character."
        case .escape: "A string has an invalid escape."
        case .utf8: "A string is not UTF-8."
        case .number: "A number is malformed."
        case .tooDeep: "The JSON is nested too deeply."
        case .type: "A value is of the wrong type."
        case .range: "A value is out of range."
        case .service: "The payload holds an error instead of data."
        case .noValue: "The payload has no array “value”."
        case .collection: "The payload holds a collection instead of an entity."
        case .tooMany: "An entity expands too many entities."
        case .lateType: "The type of an entity comes after what it expands."
        case .duplicate: "A member is given twice."
        }
    }
}
