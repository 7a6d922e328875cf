import ODataModel

extension PayloadMachine {
    /// Reads units (a member of the outer object, an entity of the collection) until the bytes or the payload end.
    mutating func run(_ parser: inout RowParser) -> Failure? {
        do throws(JSONFault) {
            while true {
                if case .end = phase { return nil }
                try step(&parser)
                position = parser.cursor.position
            }
        } catch {
            var fault = error
            let bytes = parser.cursor.bytes
            if fault.reason == .incomplete { fault.offset = bytes.count }
            // An error object is kept whole, of anything else the first byte is enough.
            let end =
                fault.reason == .service ? parser.cursor.position : min(fault.offset + ValueText.longest, bytes.count)
            return Failure(
                fault: fault, entry: parser.entry, outerName: parser.outerName, entity: parser.faulty, offset: offset,
                bytes: Array(bytes[min(fault.offset, end)..<end]))
        }
    }

    private mutating func step(_ parser: inout RowParser) throws(JSONFault) {
        switch phase {
        case .start: try begin(&parser)
        case .members(let isFirst): try member(&parser, isFirst: isFirst)
        case .elements(let isFirst): try element(&parser, isFirst: isFirst)
        case .end: break
        }
    }

    private mutating func begin(_ parser: inout RowParser) throws(JSONFault) {
        if try parser.cursor.current() == 0xEF {
            for byte: UInt8 in [0xEF, 0xBB, 0xBF] {
                guard try parser.cursor.current() == byte else {
                    throw JSONFault(reason: .unexpected, offset: parser.cursor.position)
                }
                parser.cursor.position += 1
            }
        }
        if kind == .entity {
            try entity(&parser)
            phase = .end
        } else {
            try parser.cursor.expect("{")
            phase = .members(isFirst: true)
        }
    }

    private func entity(_ parser: inout RowParser) throws(JSONFault) {
        let mark = parser.mark
        do {
            try parser.entity(level: 0, depth: 0, child: -1)
        } catch {
            parser.noteFaulty(error)
            parser.rollBack(to: mark)
            throw error
        }
    }

    private mutating func element(_ parser: inout RowParser, isFirst: Bool) throws(JSONFault) {
        let byte = try parser.cursor.next()
        if byte == UInt8(ascii: "]") {
            parser.cursor.position += 1
            phase = .members(isFirst: false)
            return
        }
        if !isFirst { try parser.cursor.expect(",") }
        try entity(&parser)
        phase = .elements(isFirst: false)
    }

    private mutating func member(_ parser: inout RowParser, isFirst: Bool) throws(JSONFault) {
        if try parser.cursor.next() == UInt8(ascii: "}") {
            guard hasValue else { throw JSONFault(reason: .noValue, offset: parser.cursor.position) }
            parser.cursor.position += 1
            phase = .end
            return
        }
        if !isFirst { try parser.cursor.expect(",") }
        try parser.cursor.expect("\"")
        let name = try parser.string(try parser.cursor.string())
        try parser.cursor.expect(":")
        parser.entry = 0
        parser.outerName = name
        switch name {
        case "value":
            guard try parser.cursor.next() == UInt8(ascii: "[") else {
                throw JSONFault(reason: .noValue, offset: parser.cursor.position)
            }
            parser.cursor.position += 1
            hasValue = true
            parser.outerName = nil
            phase = .elements(isFirst: true)
            return
        case "@odata.count", "@count": count = try parser.optionalCount(row: 0)
        case "@odata.nextLink", "@nextLink": nextLink = try parser.optionalText()
        case "@odata.deltaLink", "@deltaLink": deltaLink = try parser.text(row: 0)
        case "@odata.context", "@context":
            context = try parser.text(row: 0)
            parser.table.isResult = context.map { !PayloadContext($0).isOfChanges } ?? false
        case "error": try parser.unexpectedObject(.service, opening: "{")
        default: try parser.skip()
        }
        parser.outerName = nil
        phase = .members(isFirst: false)
    }
}
