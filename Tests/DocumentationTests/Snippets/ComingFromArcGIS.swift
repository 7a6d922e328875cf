import ArcGISTesting
import AsyncHTTPTransport
import OData
import ODataArcGIS
import Testing

@Suite("The page for those who come from the attachment manager of the ArcGIS SDK")
struct ComingFromArcGIS {
    /// Does `body` with a feature service whose feature 1 has two photos, and the owner of its attachments.
    ///
    /// - Parameter hold: What requests go through.
    static func open(
        _ hold: RequestHold = RequestHold(), _ body: (FeatureServer, AttachmentOwner, FieldSite) async throws -> Void
    ) async throws {
        let site = try FieldSite()
        try await FeatureServer.open { server in
            try server.attach([1], named: "gauge.jpg", contentType: "image/jpeg", to: 1)
            try server.attach([2, 2], named: "valve.jpg", contentType: "image/jpeg", to: 1)
            let transport = AsyncHTTPTransport()
            do {
                let backEnd = try FeatureLayerBackEnd(
                    layerURL: server.layerURL(), transport: hold.transport(over: transport))
                try await body(server, AttachmentOwner(folder: site.folder + "/edits", backEnd: backEnd), site)
            } catch {
                try? await transport.shutdown()
                throw error
            }
            try await transport.shutdown()
        }
    }

    @Test("Managers are handed out, and cleared")
    func managers() async throws {
        let site = try FieldSite()
        var configuration = FeatureServerConfiguration()
        configuration.users = ["ada": "secret"]
        try await FeatureServer.open(configuration) { server in
            let (transport, folder) = (AsyncHTTPTransport(), site.folder + "/edits")
            let (layerURL, signIn) = (server.layerURL(), { @Sendable in server.newToken() })
            // snippet: a layer and its managers
            var configuration = ArcGISClient.Configuration()
            configuration.tokens = { _ in signIn() }
            let backEnd = try FeatureLayerBackEnd(
                layerURL: layerURL, transport: transport, configuration: configuration)
            let layer = try await backEnd.layer()
            show(layer.hasAttachments, layer.allowsAdding, layer.allowsChanging)
            let owner = try AttachmentOwner(folder: folder, backEnd: backEnd)
            let manager = try await owner.manager(for: "1")
            show(manager.entity, try await owner.hasLocalEdits)
            // end
            #expect(layer.hasAttachments && manager.entity == "1")
            #expect(try await owner.manager(for: "1") === manager)
            // snippet: what was fetched is removed
            try await manager.clear()
            try await owner.clear()
            // end
            try await transport.shutdown()
        }
    }

    @Test("Attachments are listed")
    func listing() async throws {
        try await Self.open { _, owner, _ in
            let manager = try await owner.manager(for: "1")
            // snippet: a list of attachments
            let listing = Task { try await manager.fetchAttachments() }
            do {
                for attachment in try await listing.value { show(attachment.name, attachment.size) }
            } catch let error as ODataError {
                show(error.code, error.message)
            }
            let valve = manager.attachments.first { $0.remoteID == "2" }
            show(valve?.contentType, manager.status.listError)
            // end
            #expect(valve?.name == "valve.jpg" && manager.attachments.count == 2)
        }
    }

    @Test("Content is fetched into files")
    func contents() async throws {
        try await Self.open { _, owner, _ in
            let manager = try await owner.manager(for: "1")
            let attachment = try #require(try await manager.fetchAttachments().first)
            // snippet: the content of one attachment
            let fetching = Task { try await manager.fetchContent(of: attachment.id) }
            show(manager.status.fetching.contains(attachment.id))
            try await fetching.value
            let content = try await manager.content(of: attachment.id)
            let bytes = try await content.collect(upTo: 10_000_000)
            let stream = SourceInputStream(content)
            // end
            #expect(bytes == [1] && stream.streamStatus == .notOpen)
            // snippet: the content of all attachments
            let all = Task { await manager.fetchContents() }
            for result in await all.value { show(result.attachment.hasContent, result.error) }
            // end
            #expect(manager.attachments.allSatisfy { $0.hasContent })
        }
    }
}
