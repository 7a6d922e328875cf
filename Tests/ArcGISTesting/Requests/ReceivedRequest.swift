import HTTPTypes
import ODataModel

/// A request as the service understood it.
package struct ReceivedRequest: Sendable {
    package struct File: Hashable, Sendable {
        package var name: String
        package var contentType: String?
        package var size: Int64
    }

    package var head: HTTPRequest
    /// Nil if the URL names nothing.
    package var operation: FeatureServerOperation?
    /// Those of the query and those of the body.
    package var parameters: [String: String]
    /// By the names of their fields.
    package var files: [String: File]

    init(_ call: RestCall) {
        head = call.request
        operation = call.route?.operation
        parameters = call.parameters
        files = call.files.mapValues { File(name: $0.name, contentType: $0.contentType, size: $0.size) }
    }

    /// Parameters, files and members of `attachments` that Esri's reference does not have for the operation; a real
    /// service passes over them.
    package var unknownNames: [String] {
        guard let operation else { return [] }
        let names = Set(parameters.keys).union(files.keys)
        return names.subtracting(operation.parameters).subtracting(["f", "token"]).sorted() + unknownMembers
    }

    private static let members: Set<String> = [
        "globalId", "parentGlobalId", "contentType", "name", "uploadId", "data",
    ]

    private var unknownMembers: [String] {
        guard let text = parameters["attachments"], let edits = try? JSONParser.parse(Array(text.utf8)[...]) else {
            return []
        }
        var names: Set<String> = []
        for kind in edits.members ?? [] {
            if !["adds", "updates", "deletes"].contains(kind.name) { names.insert("attachments.\(kind.name)") }
            for edit in kind.node.elements ?? [] {
                for member in edit.members ?? [] where !Self.members.contains(member.name) {
                    names.insert("attachments.\(kind.name).\(member.name)")
                }
            }
        }
        return names.sorted()
    }
}
