import ODataMetadata
import ODataModel

/// One request or response of a JSON batch: where its members stand.
struct JSONBatchObject {
    private let bytes: [UInt8]
    private let limits: PayloadLimits
    private var members: [String: Range<Int>] = [:]
    let offset: Int

    init(_ bytes: [UInt8], _ range: Range<Int>, limits: PayloadLimits) throws(FormatError) {
        self.bytes = bytes
        self.limits = limits
        offset = range.lowerBound
        do throws(JSONFault) {
            members = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
                try Self.members(in: bytes, at: range.lowerBound, limits: limits)
            }
        } catch {
            throw FormatError(
                error.reason == .type ? "A part of a batch is an object." : error.message, offset: error.offset)
        }
    }

    private static func members(
        in bytes: UnsafeBufferPointer<UInt8>, at start: Int, limits: PayloadLimits
    ) throws(JSONFault) -> [String: Range<Int>] {
        var cursor = ByteCursor(bytes, at: start)
        guard try cursor.next() == UInt8(ascii: "{") else { throw JSONFault(reason: .type, offset: start) }
        var members: [String: Range<Int>] = [:]
        let known: Set = ["id", "method", "url", "headers", "body", "atomicityGroup", "dependsOn", "if", "status"]
        try cursor.eachMember(depth: limits.depth) { (name, nameStart, cursor) throws(JSONFault) in
            _ = try cursor.next()
            let start = cursor.position
            try cursor.skipValue(depth: limits.depth)
            guard known.contains(name) else { return }
            guard members.updateValue(start..<cursor.position, forKey: name) == nil else {
                throw JSONFault(reason: .duplicate, offset: nameStart)
            }
        }
        return members
    }

    private func node(_ name: String) throws(FormatError) -> JSONNode? {
        guard let range = members[name] else { return nil }
        let node = try parsed(bytes[range], limits: limits)
        return node.isNull ? nil : node
    }

    func string(_ name: String) throws(FormatError) -> String? {
        guard let node = try node(name) else { return nil }
        guard let text = node.string else {
            throw FormatError("“\(name)” of a part of a batch is a string, not \(node.kind).", offset: node.offset)
        }
        return text
    }

    func integer(_ name: String) throws(FormatError) -> Int64? { try node(name)?.integer }

    /// An array of strings, or one.
    func strings(_ name: String) throws(FormatError) -> [String] {
        guard let node = try node(name) else { return [] }
        var strings: [String] = []
        for element in node.elements ?? [node] {
            guard let text = element.string else {
                throw FormatError("“\(name)” is an array of strings.", offset: element.offset)
            }
            strings.append(text)
        }
        return strings
    }

    func headers() throws(FormatError) -> [(String, String)] {
        guard let range = members["headers"] else { return [] }
        guard range.count <= limits.batchPartHeaders * limits.batchHeaderBytes else {
            throw FormatError("The headers of a part of the batch are too long.", offset: range.lowerBound)
        }
        guard let node = try node("headers") else { return [] }
        guard let members = node.members, members.count <= limits.batchPartHeaders else {
            throw FormatError(
                "The headers of a part are an object of \(limits.batchPartHeaders) members at most.",
                offset: range.lowerBound)
        }
        var headers: [(String, String)] = []
        for member in members {
            guard let value = member.node.string, value.utf8.count <= limits.batchHeaderBytes else {
                throw FormatError("The header \(member.name) is not a string, or is too long.", offset: member.offset)
            }
            headers.append((member.name, value))
        }
        return headers
    }

    /// JSON as it is, text as a string, anything else as base64url.
    func body(headers: [(String, String)]) throws(FormatError) -> [UInt8] {
        guard let range = members["body"] else { return [] }
        guard range.count <= limits.batchPartBytes else {
            throw FormatError(
                "The body of a part of the batch is longer than the limit of \(limits.batchPartBytes) bytes.",
                offset: range.lowerBound)
        }
        guard bytes[range] != Array("null".utf8)[...] else { return [] }
        let type = Batch.header("Content-Type", in: headers)?.lowercased()
        guard bytes[range.lowerBound] == UInt8(ascii: "\""), let type, !JSONBatch.isJSON(type) else {
            return Array(bytes[range])
        }
        guard let text = try string("body") else { return [] }
        if type.hasPrefix("text/") { return Array(text.utf8) }
        guard let decoded = EdmValue.bytes(base64: text) else {
            throw FormatError("A body of type \(type) is base64url.", offset: range.lowerBound)
        }
        return decoded
    }
}
