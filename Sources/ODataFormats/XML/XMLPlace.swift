import CLibXML2

/// Where the scanner is in the document; valid while an event is handled.
struct XMLPlace {
    private let context: xmlParserCtxtPtr

    init(_ context: xmlParserCtxtPtr) {
        self.context = context
    }

    /// From 1. For the start of an element it is the end of its tag.
    var line: Int { max(1, Int(xmlSAX2GetLineNumber(context))) }

    /// From 1.
    var column: Int { max(1, Int(xmlSAX2GetColumnNumber(context))) }

    /// - Parameter property: The name of the property at fault.
    func error(_ message: String, property: String? = nil) -> FormatError {
        var error = FormatError(message, property: property)
        (error.line, error.column) = (line, column)
        return error
    }
}
