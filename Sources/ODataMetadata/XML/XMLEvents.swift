import CLibXML2

/// What the C library calls: events without a type parameter, which C functions cannot have.
///
/// Closures, as methods of a generic subclass would look types up for each event.
@usableFromInline
final class XMLEvents {
    /// Name, namespace, count of attributes, five pointers for each attribute.
    @usableFromInline typealias Start = (
        UnsafePointer<UInt8>, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) -> Void

    private let start: Start
    private let end: () -> Void
    private let text: (UnsafeBufferPointer<UInt8>) -> Void
    /// `<!DOCTYPE`
    private let documentType: () -> Void

    @usableFromInline init(
        start: @escaping Start, end: @escaping () -> Void, text: @escaping (UnsafeBufferPointer<UInt8>) -> Void,
        documentType: @escaping () -> Void
    ) {
        self.start = start
        self.end = end
        self.text = text
        self.documentType = documentType
    }

    /// - Parameter prefix: The first bytes of the document, by which the parser recognizes its encoding.
    @usableFromInline func makeContext(prefix: ArraySlice<UInt8>) -> xmlParserCtxtPtr? {
        Self.initialise
        var handler = Self.handler
        let context = prefix.withUnsafeBytes { bytes in
            xmlCreatePushParserCtxt(
                &handler, Unmanaged.passUnretained(self).toOpaque(),
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
        }
        guard let context else { return nil }
        // Without XML_PARSE_NOENT the five entities of XML stay half resolved in attributes. As document types are
        // refused there are no others.
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_NOERROR.rawValue
            | XML_PARSE_NOWARNING.rawValue
        _ = xmlCtxtUseOptions(context, Int32(options))
        return context
    }

    private static let initialise: Void = xmlInitParser()

    private static func events(_ pointer: UnsafeMutableRawPointer?) -> XMLEvents? {
        pointer.map { Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = 0xDEED_BEAF  // XML_SAX2_MAGIC, whose type differs between versions of the library
        handler.startElementNs = { pointer, name, _, namespace, _, _, count, _, attributes in
            guard let name else { return }
            XMLEvents.events(pointer)?.start(name, namespace, Int(count), attributes)
        }
        handler.endElementNs = { pointer, _, _, _ in XMLEvents.events(pointer)?.end() }
        handler.characters = { pointer, text, count in
            XMLEvents.events(pointer)?.text(UnsafeBufferPointer(start: text, count: Int(count)))
        }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.internalSubset = { pointer, _, _, _ in XMLEvents.events(pointer)?.documentType() }
        return handler
    }
}
