import ODataMetadata
import ODataModel

/// Reads JSON batches. Bodies are found, but not parsed; a batch of too many parts is refused at the first one too
/// many.
///
/// [OData-JSON, section 19]
struct JSONBatchReader {
    private let bytes: [UInt8]
    private let limits: PayloadLimits

    init(_ bytes: [UInt8], limits: PayloadLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    func requests() throws(FormatError) -> [BatchPart] {
        var parts: [BatchPart] = []
        var names: Set<String> = []
        var group: String?
        for range in try elements("requests") {
            let object = try JSONBatchObject(bytes, range, limits: limits)
            let part = try request(object)
            if let group, part.atomicityGroup != group { names.insert(group) }
            if let own = part.atomicityGroup, own != group, names.contains(own) {
                throw FormatError(
                    "The group “\(own)” is not together, or has the name of a request.", offset: range.lowerBound)
            }
            group = part.atomicityGroup
            for name in part.dependsOn where !names.contains(name) {
                throw FormatError(
                    "The request “\(part.id ?? "")” depends on “\(name)”, which does not come before it.",
                    offset: range.lowerBound)
            }
            guard let id = part.id, names.insert(id).inserted, id != group else {
                throw FormatError(
                    "Two requests of the batch have the id “\(part.id ?? "")”.", offset: range.lowerBound)
            }
            parts.append(part)
        }
        return parts
    }

    private func request(_ object: JSONBatchObject) throws(FormatError) -> BatchPart {
        guard let id = try object.string("id"), !id.isEmpty, let method = try object.string("method"),
            !method.isEmpty, method.utf8.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }), let url = try object.string("url")
        else { throw FormatError("A request of a batch has an id, a method and a url.", offset: object.offset) }
        var headers = try object.headers()
        let body = try object.body(headers: headers)
        // A body without another declared type is JSON. [OData-JSON, section 19.1]
        if !body.isEmpty, Batch.header("Content-Type", in: headers) == nil {
            headers.append(("content-type", "application/json"))
        }
        return BatchPart(
            id: id, method: method.uppercased(), url: url, headers: headers, body: body,
            atomicityGroup: try object.string("atomicityGroup"), dependsOn: try object.strings("dependsOn"),
            condition: try object.string("if"))
    }

    func responses() throws(FormatError) -> [BatchItemResponse] {
        var responses: [BatchItemResponse] = []
        for range in try elements("responses") {
            let object = try JSONBatchObject(bytes, range, limits: limits)
            guard let status = try object.integer("status"), (100...599).contains(status) else {
                throw FormatError("A response of a batch has a status.", offset: range.lowerBound)
            }
            let headers = try object.headers()
            responses.append(
                BatchItemResponse(
                    id: try object.string("id"), status: Int(status), headers: headers,
                    body: try object.body(headers: headers), atomicityGroup: try object.string("atomicityGroup")))
        }
        return responses
    }

    /// Where the elements of the array `name` of the outer object stand.
    private func elements(_ name: String) throws(FormatError) -> [Range<Int>] {
        do throws(JSONFault) {
            return try bytes.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
                try Self.elements(name, in: bytes, limits: limits)
            }
        } catch {
            switch error.reason {
            case .noValue:
                throw FormatError("A JSON batch is an object with an array “\(name)”.", offset: error.offset)
            case .range:
                throw FormatError("The batch has more than \(limits.batchParts) parts.", offset: error.offset)
            default: throw FormatError(error.message, offset: error.offset)
            }
        }
    }

    private static func elements(
        _ name: String, in bytes: UnsafeBufferPointer<UInt8>, limits: PayloadLimits
    ) throws(JSONFault) -> [Range<Int>] {
        var cursor = ByteCursor(bytes, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        var found: [Range<Int>]?
        guard try cursor.next() == UInt8(ascii: "{") else {
            throw JSONFault(reason: .noValue, offset: cursor.position)
        }
        try cursor.eachMember(depth: limits.depth) { (member, start, cursor) throws(JSONFault) in
            guard member == name else { return try cursor.skipValue(depth: limits.depth - 1) }
            guard found == nil else { throw JSONFault(reason: .duplicate, offset: start) }
            guard try cursor.next() == UInt8(ascii: "[") else {
                throw JSONFault(reason: .noValue, offset: cursor.position)
            }
            var ranges: [Range<Int>] = []
            try cursor.eachElement { (cursor) throws(JSONFault) in
                let start = cursor.position
                guard ranges.count < limits.batchParts else { throw JSONFault(reason: .range, offset: start) }
                try cursor.skipValue(depth: limits.depth - 2)
                ranges.append(start..<cursor.position)
            }
            found = ranges
        }
        guard let found else { throw JSONFault(reason: .noValue, offset: 0) }
        guard !cursor.hasMoreThanSpace else { throw JSONFault(reason: .unexpected, offset: cursor.position) }
        return found
    }
}
