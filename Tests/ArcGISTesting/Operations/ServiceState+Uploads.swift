import ByteStreams
import Foundation
import ODataModel

/// Files that are sent before the edits that need them.
extension ServiceState {
    mutating func upload(_ call: RestCall, _ route: Route) throws(RestError) -> RestResponse {
        guard !capabilities.isDisjoint(with: [.create, .update]) else {
            throw .notPermitted("The service has not the capability Create or Update.")
        }
        switch route.operation {
        case .uploadInfo: return .object { $0.member("maxUploadFileSize", configuration.maximalFileMegabytes) }
        case .upload: return try uploadFile(call)
        case .register: return try register(call)
        case .uploadPart: return try uploadPart(call, try item(route))
        case .commit: return try commit(call, try item(route))
        case .deleteUpload:
            let item = try item(route)
            uploads[item.id] = nil
            return .object { $0.member("success", true) }
        default:
            let item = try item(route)
            return .object { item.members(&$0) }
        }
    }

    /// - Throws: If the item is unknown or expired.
    private func item(_ route: Route) throws(RestError) -> UploadedItem {
        guard let item = uploads[route.upload] else { throw .notFound("Uploaded item \(route.upload)") }
        return item
    }

    private mutating func keep(_ item: UploadedItem) -> RestResponse {
        var item = item
        item.date = configuration.now()
        uploads[item.id] = item
        return .object { text in
            text.member("success", true)
            item.write(to: &text)
        }
    }

    private func newItem(_ name: String, type: String?, _ call: RestCall) -> UploadedItem {
        UploadedItem(
            id: "i\(UUID().uuidString.lowercased())", name: name, description: call["description"],
            contentType: type ?? FileTypes.contentType(of: name), date: configuration.now())
    }

    private func check(_ name: String, size: Int64) throws(RestError) {
        do throws(EditError) {
            try checkFile(name: name, size: size)
        } catch {
            throw .invalid(error.description)
        }
    }

    /// `POST …/uploads/upload`: multipart with `file`.
    private mutating func uploadFile(_ call: RestCall) throws(RestError) -> RestResponse {
        guard let file = call.files["file"] else { throw .invalid("'file' must be specified.") }
        try check(file.name, size: file.size)
        var item = newItem(file.name, type: file.contentType, call)
        item.content = file.source
        item.isCommitted = true
        return keep(item)
    }

    /// `POST …/uploads/register` with `itemName=Pump.jpg`
    private mutating func register(_ call: RestCall) throws(RestError) -> RestResponse {
        guard let name = call["itemName"] else { throw .invalid("'itemName' must be specified.") }
        try check(name, size: 0)
        return keep(newItem(name, type: nil, call))
    }

    /// `POST …/uploads/<item>/uploadPart`: multipart with `partId` and `file`. A part that is sent again replaces the
    /// one before.
    private mutating func uploadPart(_ call: RestCall, _ item: UploadedItem) throws(RestError) -> RestResponse {
        guard let part = call["partId"].flatMap({ Int($0) }), part > 0 else {
            throw .invalid("'partId' must be specified.")
        }
        guard let file = call.files["file"] else { throw .invalid("'file' must be specified.") }
        guard !item.isCommitted else { throw .invalid("The item \(item.id) is committed.") }
        var item = item
        item.parts[part] = file.source
        return keep(item)
    }

    /// `POST …/uploads/<item>/commit` with `parts=1,2,3`, or with all parts in the order of their ids.
    private mutating func commit(_ call: RestCall, _ item: UploadedItem) throws(RestError) -> RestResponse {
        guard call["checksum"] == nil else { throw .invalid("'checksum' is not supported.") }
        guard !item.isCommitted else { throw .invalid("The item \(item.id) is committed.") }
        let order = try call.integers("parts")?.map { Int($0) } ?? item.parts.keys.sorted()
        let parts = order.compactMap { item.parts[$0] }
        guard !parts.isEmpty, parts.count == order.count else { throw .invalid("Parts of the item are missing.") }
        let content = JoinedSource(parts)
        try check(item.name, size: content.length ?? 0)
        var item = item
        item.content = content
        item.isCommitted = true
        return keep(item)
    }
}
