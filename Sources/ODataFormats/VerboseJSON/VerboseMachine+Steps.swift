extension VerboseMachine {
    /// Reads one unit: a member of an outer object, an entity of the collection.
    mutating func step(_ parser: inout VerboseRowParser) throws(JSONFault) {
        switch phase {
        case .start:
            try skipByteOrderMark(&parser)
            guard try !lightEntity(&parser), try !bareEntity(&parser) else { return }
            if kind == .collection, try parser.cursor.next() == UInt8(ascii: "[") {
                parser.cursor.position += 1
                phase = .elements(isFirst: true, isOuter: true)
                isBare = true
                return
            }
            try parser.cursor.expect("{")
            phase = .outer(isFirst: true)
        case .outer(let isFirst): try outerMember(&parser, isFirst: isFirst)
        case .inner(let isFirst): try innerMember(&parser, isFirst: isFirst)
        case .elements(let isFirst, let isOuter): try element(&parser, isFirst: isFirst, isOuter: isOuter)
        case .end: break
        }
    }

    private func skipByteOrderMark(_ parser: inout VerboseRowParser) throws(JSONFault) {
        guard try parser.cursor.current() == 0xEF else { return }
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] {
            guard try parser.cursor.current() == byte else {
                throw JSONFault(reason: .unexpected, offset: parser.cursor.position)
            }
            parser.cursor.position += 1
        }
    }

    /// `"d":…`
    private mutating func outerMember(_ parser: inout VerboseRowParser, isFirst: Bool) throws(JSONFault) {
        guard let name = try memberName(&parser, isFirst: isFirst) else {
            guard hasData else { throw JSONFault(reason: .noValue, offset: parser.cursor.position) }
            phase = .end
            return
        }
        let byte = try parser.cursor.next()
        parser.member = name
        switch (name, byte) {
        case ("error", UInt8(ascii: "{")), ("odata.error", UInt8(ascii: "{")):
            let start = parser.cursor.position
            try parser.cursor.skipValue(depth: limits.depth)
            // The whole object, with its end, is wanted for the message.
            _ = try parser.cursor.hasMore(before: "}")
            throw JSONFault(reason: .service, offset: start)
        case ("d", UInt8(ascii: "[")) where kind == .collection, ("value", UInt8(ascii: "[")) where kind == .collection,
            ("results", UInt8(ascii: "[")) where kind == .collection:
            parser.cursor.position += 1
            phase = .elements(isFirst: true, isOuter: true)
        case ("d", UInt8(ascii: "{")) where kind == .collection:
            parser.cursor.position += 1
            phase = .inner(isFirst: true)
        case ("d", UInt8(ascii: "[")): throw JSONFault(reason: .collection, offset: parser.cursor.position)
        case ("d", _):
            try entity(&parser)
            hasData = true
            phase = .outer(isFirst: false)
        default:
            switch name {
            case "odata.count", "__count": count = try parser.count()
            case "odata.nextLink", "__next": nextLink = try parser.link()
            case "odata.deltaLink", "__delta": deltaLink = try parser.link()
            default: try parser.cursor.skipValue(depth: limits.depth)
            }
            phase = .outer(isFirst: false)
        }
    }

    /// Takes an entity in light JSON, which has nothing around it: `{"odata.metadata":"…","ID":1}`.
    private mutating func lightEntity(_ parser: inout VerboseRowParser) throws(JSONFault) -> Bool {
        guard kind == .entity, try parser.cursor.next() == UInt8(ascii: "{"), let name = try parser.firstName(),
            name.hasPrefix("odata."), name != "odata.error"
        else { return false }
        let start = parser.cursor.position
        let hasValue = levels[0].shape.type.property(named: "value") != nil
        try parser.object { (parser, name) throws(JSONFault) in
            if name == "value", !hasValue, try parser.cursor.next() == UInt8(ascii: "[") {
                throw JSONFault(reason: .collection, offset: parser.cursor.position)
            }
            try parser.cursor.skipValue(depth: parser.depthLimit)
        }
        parser.cursor.position = start
        try entity(&parser)
        phase = .end
        return true
    }

    /// Takes an entity without the `d` around it: `{"__metadata":{…},"ID":1}`, or a function's result without it.
    private mutating func bareEntity(_ parser: inout VerboseRowParser) throws(JSONFault) -> Bool {
        guard kind == .entity, try parser.cursor.next() == UInt8(ascii: "{"), let name = try parser.firstName(),
            name != "d"
        else { return false }
        if !isOfEntity(name) {
            guard try hasBareEntity(parser) else { return false }
        }
        try entity(&parser)
        phase = .end
        return true
    }

    private func isOfEntity(_ name: String) -> Bool {
        name == "__metadata"
            || levels[0].shape.types.contains {
                $0.property(named: name) != nil || $0.navigationProperty(named: name) != nil
            }
    }

    /// Whether the object at the cursor has neither `d` nor an error, but something of an entity.
    private func hasBareEntity(_ parser: VerboseRowParser) throws(JSONFault) -> Bool {
        var parser = parser
        var (isOther, isEntity) = (false, false)
        try parser.object { (parser, name) throws(JSONFault) in
            isOther = isOther || ["d", "error", "odata.error"].contains(name)
            isEntity = isEntity || isOfEntity(name)
            if try parser.cursor.next() == UInt8(ascii: "{"), try parser.firstName() == "__metadata" { isEntity = true }
            try parser.cursor.skipValue(depth: parser.depthLimit)
        }
        return isEntity && !isOther
    }

    /// Takes the name of the next member and the colon; nil at the end of the object.
    private func memberName(_ parser: inout VerboseRowParser, isFirst: Bool) throws(JSONFault) -> String? {
        if try parser.cursor.next() == UInt8(ascii: "}") {
            parser.cursor.position += 1
            return nil
        }
        if !isFirst { try parser.cursor.expect(",") }
        try parser.cursor.expect("\"")
        let name = try parser.string(try parser.cursor.string())
        try parser.cursor.expect(":")
        return name
    }

    /// `"results":[…]`, `"__count":"5"`, `"__next":"…"`, `"__delta":"…"`
    private mutating func innerMember(_ parser: inout VerboseRowParser, isFirst: Bool) throws(JSONFault) {
        guard let name = try memberName(&parser, isFirst: isFirst) else {
            guard hasData else { throw JSONFault(reason: .noValue, offset: parser.cursor.position) }
            phase = .outer(isFirst: false)
            return
        }
        parser.member = name
        switch name {
        case "results" where try parser.cursor.next() == UInt8(ascii: "["):
            parser.cursor.position += 1
            phase = .elements(isFirst: true, isOuter: false)
            return
        case "__count": count = try parser.count()
        case "__next": nextLink = try parser.link()
        case "__delta": deltaLink = try parser.link()
        default: try parser.cursor.skipValue(depth: limits.depth)
        }
        phase = .inner(isFirst: false)
    }

    private mutating func element(
        _ parser: inout VerboseRowParser, isFirst: Bool, isOuter: Bool
    ) throws(JSONFault) {
        let byte = try parser.cursor.next()
        if byte == UInt8(ascii: "]") {
            parser.cursor.position += 1
            hasData = true
            phase = isBare ? .end : isOuter ? .outer(isFirst: false) : .inner(isFirst: false)
            return
        }
        if !isFirst { try parser.cursor.expect(",") }
        try entity(&parser)
        phase = .elements(isFirst: false, isOuter: isOuter)
    }

    private func entity(_ parser: inout VerboseRowParser) throws(JSONFault) {
        let mark = parser.composer.mark
        do {
            let isWrapped = kind == .entity ? try unwrap(&parser) : false
            try parser.entity(level: 0, depth: 0, child: -1)
            if isWrapped { try parser.cursor.expect("}") }
        } catch {
            if error.reason != .incomplete { parser.faulty = parser.entityName }
            parser.composer.rollBack(to: mark)
            throw error
        }
    }

    /// Enters the object of a function's result: `{"d":{"GetTop":{"__metadata":…}}}`.
    private func unwrap(_ parser: inout VerboseRowParser) throws(JSONFault) -> Bool {
        guard try parser.cursor.next() == UInt8(ascii: "{") else { return false }
        let start = parser.cursor.position
        parser.cursor.position += 1
        if try parser.cursor.next() == UInt8(ascii: "\"") {
            parser.cursor.position += 1
            _ = try parser.cursor.string()
            try parser.cursor.expect(":")
            if try parser.cursor.next() == UInt8(ascii: "{"), try parser.firstName() == "__metadata" {
                let inner = parser.cursor.position
                try parser.cursor.skipValue(depth: limits.depth)
                if try parser.cursor.next() == UInt8(ascii: "}") {
                    parser.cursor.position = inner
                    return true
                }
            }
        }
        parser.cursor.position = start
        return false
    }
}
