import ODataModel

extension JSONPayload {
    /// Writes one entity as a V4 JSON object: control information, properties, what is expanded.
    package static func bytes(entity: Entity, options: JSONWriterOptions = JSONWriterOptions()) -> [UInt8] {
        var text = JSONText()
        write(entity, options: options, context: options.contextURL, to: &text)
        return text.bytes
    }

    /// Writes entities as a V4 JSON payload: `{"value":[…]}`.
    package static func bytes(
        entities: [Entity], count: Int64? = nil, options: JSONWriterOptions = JSONWriterOptions()
    ) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.member("@odata.context", options.contextURL)
            if let count {
                text.name("@odata.count")
                text.integer(count)
            }
            text.name("value")
            text.array { text in
                for entity in entities { write(entity, options: options, context: nil, to: &text) }
            }
        }
        return text.bytes
    }

    private static func write(
        _ entity: Entity, options: JSONWriterOptions, context: String?, to text: inout JSONText
    ) {
        text.object { text in
            if options.metadata != .none { text.member("@odata.context", context) }
            if options.metadata == .full { text.member("@odata.type", "#\(entity.type.name)") }
            if options.writesIDs || options.metadata == .full { text.member("@odata.id", entity.id) }
            if options.metadata != .none {
                text.member("@odata.etag", entity.etag)
                if let media = entity.media { write(media, name: "", to: &text) }
                for (name, stream) in entity.streams.sorted(by: { $0.key < $1.key }) {
                    write(stream, name: name, to: &text)
                }
            }
            for member in entity.properties.members {
                text.name(member.name)
                var bytes: [UInt8] = []
                let isCompatible = options.ieee754Compatible
                if isCompatible, !member.value.isNull, entity.type.property(named: member.name)?.type == .int64 {
                    JSONText.append(quoted: member.value.lexical, to: &bytes)
                } else {
                    member.value.appendJSON(to: &bytes, ieee754Compatible: isCompatible)
                }
                text.raw(bytes)
            }
            for (name, expanded) in entity.expanded.sorted(by: { $0.key < $1.key }) {
                write(expanded, name: name, options: options, to: &text)
            }
        }
    }

    private static func write(
        _ expanded: Entity.Expanded, name: String, options: JSONWriterOptions, to text: inout JSONText
    ) {
        switch expanded {
        case .one(let entity):
            text.name(name)
            if let entity { write(entity, options: options, context: nil, to: &text) } else { text.null() }
        case .many(let entities, let count):
            if let count {
                text.name(name + "@odata.count")
                text.integer(count)
            }
            text.name(name)
            text.array { text in
                for entity in entities { write(entity, options: options, context: nil, to: &text) }
            }
        }
    }

    private static func write(_ stream: Entity.StreamInfo, name: String, to text: inout JSONText) {
        text.member("\(name)@odata.mediaReadLink", stream.readLink)
        text.member("\(name)@odata.mediaEditLink", stream.editLink)
        text.member("\(name)@odata.mediaContentType", stream.contentType)
        text.member("\(name)@odata.mediaEtag", stream.etag)
    }
}
