import ODataModel

extension VerboseRowParser {
    /// Iterates over the members of an object; `body` takes each value.
    mutating func object(
        _ body: (inout VerboseRowParser, String) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try cursor.expect("{")
        if try cursor.next() == UInt8(ascii: "}") {
            cursor.position += 1
            return
        }
        repeat {
            try cursor.expect("\"")
            let name = try string(try cursor.string())
            try cursor.expect(":")
            try body(&self, name)
        } while try cursor.hasMore(before: "}")
    }

    /// ```json
    /// "__metadata":{"uri":"http://h/Photos(1)","type":"Shop.Photo","etag":"W/\"1\"","media_src":"http://h/1.png",
    ///   "edit_media":"http://h/Photos(1)/$value","content_type":"image/png","media_etag":"\"m\""}
    /// ```
    mutating func metadata(row: Int, level: Int) throws(JSONFault) {
        guard try cursor.next() == UInt8(ascii: "{") else { return try passOver("control information") }
        var hasURI = false
        try object { (parser, name) throws(JSONFault) in
            parser.member = name
            switch name {
            case "uri":
                let uri = try parser.span()
                (parser.composer.block.rows[row].id, parser.composer.block.rows[row].editLink) = (uri, uri)
                hasURI = true
            case "id" where !hasURI: parser.composer.block.rows[row].id = try parser.span()
            case "etag":
                let tag = try parser.span()
                parser.composer.block.rows[row].etag = parser.composer.block.entityTag(tag)
            case "type":
                guard let text = try parser.optionalText(), let type = parser.levels[level].types[text] else { return }
                try parser.setType(type, row: row, level: level)
            case "media_src", "edit_media", "content_type", "media_etag":
                try parser.media(name, of: \.entity, row: row)
            default: try parser.cursor.skipValue(depth: parser.depthLimit)
            }
        }
    }

    /// Takes the type of an entity, be it after what the entity expands.
    mutating func setType(_ type: UInt16, row: Int, level: Int) throws(JSONFault) {
        guard let child = composer.setType(type, of: row, shape: levels[level].shape) else { return }
        member = child.navigation.name
        throw JSONFault(reason: .lateType, offset: cursor.position)
    }

    /// `{"@odata.context":"$metadata#Products/$deletedEntity","id":"http://h/root/Products(1)"}`, as delta payloads of
    /// V2 services have it.
    mutating func deletedEntity(row: Int, start: Int) throws(JSONFault) {
        cursor.position = start
        composer.block.rows[row].change = .deleted
        try object { (parser, name) throws(JSONFault) in
            if name == "id" {
                parser.composer.block.rows[row].id = try parser.span()
            } else {
                try parser.cursor.skipValue(depth: parser.depthLimit)
            }
        }
    }

    /// `"Photo":{"__mediaresource":{"media_src":"…","edit_media":"…","content_type":"image/png","media_etag":"…"}}`
    mutating func stream(_ property: String, row: Int) throws(JSONFault) {
        guard try cursor.next() == UInt8(ascii: "{") else { return try passOver("a stream") }
        try object { (parser, name) throws(JSONFault) in
            guard name == "__mediaresource", try parser.cursor.next() == UInt8(ascii: "{") else {
                return try parser.cursor.skipValue(depth: parser.depthLimit)
            }
            try parser.object { (parser, name) throws(JSONFault) in
                try parser.media(name, of: \.properties[property], row: row)
            }
        }
    }

    /// - Parameter name: `media_src`, `edit_media`, `content_type` or `media_etag`.
    mutating func media(
        _ name: String, of target: WritableKeyPath<RowMedia, RowMedia.Stream?>, row: Int
    ) throws(JSONFault) {
        let text = try optionalText()
        composer.changeMedia(of: row) { media in
            var stream = media[keyPath: target] ?? RowMedia.Stream()
            stream.set(name, to: text)
            media[keyPath: target] = stream
        }
    }

    /// `{"__deferred":{"uri":"…"}}`, `{"results":[…],"__count":"7","__next":"…"}`, `[…]`, an entity or `null`.
    mutating func expanded(_ child: Int, row: Int, level: Int, depth: UInt8) throws(JSONFault) {
        let byte = try cursor.next()
        if byte == UInt8(ascii: "n") {
            try cursor.word("null")
            return composer.markChild(child, of: row)
        }
        let isCollection = levels[level].shape.children[child].navigation.isCollection
        if byte == UInt8(ascii: "[") {
            composer.markChild(child, of: row)
            guard isCollection else { return try onlyEntity(of: child, level: level, depth: depth) }
            return try entities(of: child, level: level, depth: depth)
        }
        guard byte == UInt8(ascii: "{") else { throw notExpandable(child, level, cursor.position, member) }
        guard let first = try firstName() else {
            composer.markChild(child, of: row)
            note("\(member) is expanded, but the payload has an empty object: it is read as null.")
            return try cursor.skipValue(depth: depthLimit)
        }
        if first == "__deferred" { return try cursor.skipValue(depth: depthLimit) }
        composer.markChild(child, of: row)
        let isWrapped = ["results", "__count", "__next"].contains(first)
        if isCollection, !isWrapped {
            note("\(member) is a collection, but the payload has an object: it is read as its entity.")
        }
        guard isCollection, isWrapped else {
            return try entity(level: levels[level].children[child], depth: depth + 1, child: child)
        }
        try object { (parser, name) throws(JSONFault) in
            parser.member = name
            switch name {
            case "results" where try parser.cursor.next() == UInt8(ascii: "{"):
                try parser.entity(level: parser.levels[level].children[child], depth: depth + 1, child: child)
            case "results" where try parser.cursor.next() == UInt8(ascii: "["):
                try parser.entities(of: child, level: level, depth: depth)
            case "__count":
                let count = try parser.count()
                parser.composer.changeExpansion(of: row, child: child) { $0.count = count }
            case "__next":
                let link = try parser.link()
                parser.composer.changeExpansion(of: row, child: child) { $0.nextLink = link }
            default: try parser.cursor.skipValue(depth: parser.depthLimit)
            }
        }
    }

    private mutating func entities(of child: Int, level: Int, depth: UInt8) throws(JSONFault) {
        cursor.position += 1
        if try cursor.next() == UInt8(ascii: "]") {
            cursor.position += 1
            return
        }
        repeat {
            try entity(level: levels[level].children[child], depth: depth + 1, child: child)
        } while try cursor.hasMore(before: "]")
    }

    /// `"http://…"`, or `{"uri":"http://…"}` as some services write it; nil for null. What follows a link that cannot be
    /// read would be missing, so that is an error.
    mutating func link() throws(JSONFault) -> String? {
        let start = cursor.position
        switch try cursor.next() {
        case UInt8(ascii: "\""), UInt8(ascii: "n"): return try optionalText()
        case UInt8(ascii: "{"):
            var link: String?
            try object { (parser, name) throws(JSONFault) in
                let text = try parser.optionalText()
                if name == "uri" { link = text }
            }
            if let link { return link }
        default: break
        }
        type = .string
        throw JSONFault(reason: .type, offset: start)
    }

    /// The name of the first member of the object at the cursor, which stays where it is.
    mutating func firstName() throws(JSONFault) -> String? {
        let start = cursor.position
        cursor.position += 1
        var name: String?
        if try cursor.next() == UInt8(ascii: "\"") {
            cursor.position += 1
            name = try string(try cursor.string())
        }
        cursor.position = start
        return name
    }
}

extension RowMedia.Stream {
    /// - Parameter name: `media_src`, `edit_media`, `content_type` or `media_etag`.
    fileprivate mutating func set(_ name: String, to text: String?) {
        switch name {
        case "media_src": readLink = text
        case "edit_media": editLink = text
        case "content_type": contentType = text
        case "media_etag": etag = EntityTag.checked(text)
        default: break
        }
    }
}
