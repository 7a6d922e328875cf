import ODataModel

/// [OData-URL, section 5.1.1.7]
extension QueryOperand<EdmDate> {
    /// `year(BirthDate)`
    public var year: QueryOperand<Int32> { call("year") }
    /// `month(BirthDate)`
    public var month: QueryOperand<Int32> { call("month") }
    /// `day(BirthDate)`
    public var day: QueryOperand<Int32> { call("day") }
}

/// [OData-URL, section 5.1.1.7]
extension QueryOperand<EdmDateTimeOffset> {
    /// `year(CreatedAt)`
    public var year: QueryOperand<Int32> { call("year") }
    /// `month(CreatedAt)`
    public var month: QueryOperand<Int32> { call("month") }
    /// `day(CreatedAt)`
    public var day: QueryOperand<Int32> { call("day") }
    /// `hour(CreatedAt)`
    public var hour: QueryOperand<Int32> { call("hour") }
    /// `minute(CreatedAt)`
    public var minute: QueryOperand<Int32> { call("minute") }
    /// `second(CreatedAt)`
    public var second: QueryOperand<Int32> { call("second") }
    /// `date(CreatedAt)`
    public var date: QueryOperand<EdmDate> { call("date") }
    /// `time(CreatedAt)`
    public var time: QueryOperand<EdmTimeOfDay> { call("time") }
    /// `now()`
    public static var now: Self { QueryOperand("now()") }
}

/// [OData-URL, section 5.1.1.7]
extension QueryOperand<EdmTimeOfDay> {
    /// `hour(OpensAt)`
    public var hour: QueryOperand<Int32> { call("hour") }
    /// `minute(OpensAt)`
    public var minute: QueryOperand<Int32> { call("minute") }
    /// `second(OpensAt)`
    public var second: QueryOperand<Int32> { call("second") }
}
