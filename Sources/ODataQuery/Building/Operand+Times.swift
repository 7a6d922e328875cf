import ODataModel

/// [OData-URL, section 5.1.1.7]
extension Operand<EdmDate> {
    /// `year(BirthDate)`
    public var year: Operand<Int32> { call("year") }
    /// `month(BirthDate)`
    public var month: Operand<Int32> { call("month") }
    /// `day(BirthDate)`
    public var day: Operand<Int32> { call("day") }
}

/// [OData-URL, section 5.1.1.7]
extension Operand<EdmDateTimeOffset> {
    /// `year(CreatedAt)`
    public var year: Operand<Int32> { call("year") }
    /// `month(CreatedAt)`
    public var month: Operand<Int32> { call("month") }
    /// `day(CreatedAt)`
    public var day: Operand<Int32> { call("day") }
    /// `hour(CreatedAt)`
    public var hour: Operand<Int32> { call("hour") }
    /// `minute(CreatedAt)`
    public var minute: Operand<Int32> { call("minute") }
    /// `second(CreatedAt)`
    public var second: Operand<Int32> { call("second") }
    /// `date(CreatedAt)`
    public var date: Operand<EdmDate> { call("date") }
    /// `time(CreatedAt)`
    public var time: Operand<EdmTimeOfDay> { call("time") }
    /// `now()`
    public static var now: Operand { Operand("now()") }
}

/// [OData-URL, section 5.1.1.7]
extension Operand<EdmTimeOfDay> {
    /// `hour(OpensAt)`
    public var hour: Operand<Int32> { call("hour") }
    /// `minute(OpensAt)`
    public var minute: Operand<Int32> { call("minute") }
    /// `second(OpensAt)`
    public var second: Operand<Int32> { call("second") }
}
