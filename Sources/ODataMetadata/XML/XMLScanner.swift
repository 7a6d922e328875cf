import CLibXML2

/// Parses XML as its bytes arrive and calls a handler for its content.
///
/// Documents with a document type declaration are refused, so there are no entities but the five of XML; nothing is
/// read but the bytes that are given. UTF-8, also where it is declared as UTF-16, and UTF-16 are understood, others as far
/// as the system's library does.
/// [XML 1.0; XML Names]
@usableFromInline
package final class XMLScanner<Handler: XMLHandler> {
    @usableFromInline package var handler: Handler
    @usableFromInline let limits: XMLLimits
    /// What the context calls, which does not keep it.
    @usableFromInline var events: XMLEvents?
    @usableFromInline var context: xmlParserCtxtPtr?
    @usableFromInline var elements = XMLOpenElements<Handler>()
    @usableFromInline var failure: FormatError?
    /// Whether there is a ``failure``: asked at each event, where a look at the error itself would copy it.
    @usableFromInline var hasFailed = false
    /// The first bytes, until there are enough to determine the encoding, and the whole declaration.
    @usableFromInline var head: [UInt8] = []
    @usableFromInline var byteCount = 0
    @usableFromInline var elementCount = 0

    @inlinable package init(_ handler: Handler, limits: XMLLimits = XMLLimits()) {
        self.handler = handler
        self.limits = limits
    }

    @inlinable deinit {
        if let context { xmlFreeParserCtxt(context) }
    }

    /// Parses the next bytes.
    ///
    /// - Throws: What the handler throws; ``FormatError`` with line and column if the XML is broken or over a limit.
    @inlinable package func feed(_ chunk: [UInt8]) throws(FormatError) {
        if let failure { throw failure }
        byteCount += chunk.count
        if let limit = limits.bytes, byteCount > limit {
            throw stop(FormatError("The XML is longer than the limit of \(limit) bytes."))
        }
        if context != nil { return try parse(chunk) }
        head += chunk
        if head.count >= 4, !XMLDeclaration.isCut(head) { try begin() }
    }

    /// Parses what is left, after the last bytes.
    @inlinable package func finish() throws(FormatError) {
        if let failure { throw failure }
        if context == nil { try begin() }
        guard let context else { return }
        let code = withExtendedLifetime(self) { xmlParseChunk(context, nil, 0, 1) }
        if let failure { throw failure }
        guard code == 0, elementCount > 0, elements.isEmpty else { throw stop(broken) }
    }

    @inlinable func begin() throws(FormatError) {
        guard head.contains(where: { $0 > 0x20 }) else { throw stop(FormatError("The XML is empty.", offset: 0)) }
        let events = XMLEvents(
            start: { [unowned self] in start($0, $1, count: $2, $3) }, end: { [unowned self] in end() },
            text: { [unowned self] in text($0) }, documentType: { [unowned self] in documentType() })
        head = XMLDeclaration.corrected(head)
        guard let context = events.makeContext(prefix: head.prefix(4)) else {
            throw stop(FormatError("There is no memory for an XML parser."))
        }
        self.events = events
        self.context = context
        let rest = Array(head.dropFirst(4))
        head = []
        try parse(rest)
    }

    /// Long chunks are parsed in pieces, as the parser moves its buffer for each.
    @inlinable func parse(_ chunk: [UInt8]) throws(FormatError) {
        guard let context else { return }
        var code: Int32 = 0
        chunk.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count, !hasFailed, code == 0 {
                let count = min(bytes.count - start, 32 * 1024)
                let pointer = bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
                code = xmlParseChunk(context, pointer, Int32(count), 0)
                start += count
            }
        }
        if let failure { throw failure }
        if code != 0 { throw stop(broken) }
    }

    /// What the parser has to say of its last error.
    @inlinable var broken: FormatError {
        var text = ""
        var error = FormatError("The XML is broken.")
        if let context {
            let place = XMLPlace(context)
            (error.line, error.column) = (place.line, place.column)
            if let found = xmlCtxtGetLastError(context), let message = found.pointee.message {
                text = String(cString: message).split(whereSeparator: \.isNewline).joined(separator: " ")
                if found.pointee.line > 0 { error.line = Int(found.pointee.line) }
                if found.pointee.int2 > 0 { error.column = Int(found.pointee.int2) }
            }
        }
        error.message = "The XML is broken: \(text.isEmpty ? "it ends too early" : text)."
        return error
    }

    @inlinable func stop(_ error: FormatError) -> FormatError {
        if !hasFailed { failure = error }
        hasFailed = true
        if let context { xmlStopParser(context) }
        return error
    }

    // MARK: Events

    @inlinable func start(
        _ name: UnsafePointer<UInt8>, _ namespace: UnsafePointer<UInt8>?, count: Int,
        _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        guard !hasFailed, let context else { return }
        elementCount += 1
        let place = XMLPlace(context)
        if let limit = limits.elements, elementCount > limit {
            _ = stop(
                place.error(
                    "The document has more than the limit of \(limit) elements. A higher limit (maxMetadataElements, "
                        + "--max-metadata-elements) takes more memory: about 1300 bytes for each."))
            return
        }
        guard elements.count < limits.depth else {
            _ = stop(place.error("The XML is nested deeper than the limit of \(limits.depth) elements."))
            return
        }
        guard count <= limits.attributes else {
            _ = stop(place.error("An element has more than the limit of \(limits.attributes) attributes."))
            return
        }
        let (symbol, symbols) = elements.open(name, namespace, count: count, pointer, &handler)
        do throws(FormatError) {
            try symbols.withUnsafeBufferPointer { (symbols) throws(FormatError) in
                try handler.start(symbol, XMLAttributes(pointer, symbols: symbols), at: place)
            }
        } catch {
            _ = stop(placed(error, place))
        }
    }

    @inlinable func end() {
        guard !hasFailed, let context, let symbol = elements.close() else { return }
        let place = XMLPlace(context)
        do throws(FormatError) {
            try handler.end(symbol, at: place)
        } catch {
            _ = stop(placed(error, place))
        }
    }

    @inlinable func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard !hasFailed, let context else { return }
        do throws(FormatError) {
            try handler.text(text)
        } catch {
            _ = stop(placed(error, XMLPlace(context)))
        }
    }

    @inlinable func documentType() {
        guard !hasFailed, let context else { return }
        _ = stop(XMLPlace(context).error("XML with a document type declaration is refused."))
    }

    @inlinable func placed(_ error: FormatError, _ place: XMLPlace) -> FormatError {
        guard error.line == nil else { return error }
        var error = error
        (error.line, error.column) = (place.line, place.column)
        return error
    }
}
