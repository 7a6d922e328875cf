import OData
import Testing

@Suite("The article on encryption")
struct EncryptionSnippets {
    @Test("A store is made with a key and gets another one")
    func keys() async throws {
        let site = try FieldSite()
        let (folder, service) = (site.folder + "/secret", try site.online())
        let bytes = [UInt8](repeating: 7, count: EncryptionKey.byteCount)
        // snippet: an encrypted store
        let key = try EncryptionKey(bytes)
        let store = try OfflineStore(folder: folder, remote: service, key: key)
        // end
        // snippet: another key
        let next = EncryptionKey.random()
        try await store.rekey(to: next)
        // end
        try store.close()
        #expect { try OfflineStore(folder: folder, remote: nil, key: key) } throws: {
            ($0 as? ODataError)?.code == .wrongKey
        }
        try OfflineStore(folder: folder, remote: nil, key: next).close()
    }
}
