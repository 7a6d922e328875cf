import Foundation
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Callers of a published file that are cancelled while they wait")
struct CancelledCallerTests {
    @Test("leave the look at all values, which goes on for the others", arguments: [true, false])
    func look(isFirst: Bool) async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let watch = ExternalCommitDetector()
        watch.noteNews()
        func caller() -> Task<Bool, any Error> {
            Task {
                try await watch.stillFits {
                    begin.finish()
                    for await _ in gate {}
                    try Task.checkCancellation()
                    return false
                }
            }
        }
        let first = caller()
        for await _ in begun {}
        let second = caller()
        let (leaving, staying) = isFirst ? (first, second) : (second, first)
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        open.finish()
        #expect(try await staying.value == false)
    }

    @Test("do not change anything while another transaction is under way, and leave at once")
    func change() async throws {
        let file = try SampleFile(
            "CREATE TABLE Notes (ID INTEGER PRIMARY KEY, Text TEXT); INSERT INTO Notes VALUES (1, 'old');")
        let store = try file.store()
        defer { try? store.close() }
        let path = try QueryParser(model: try await store.model()).path("Notes(1)")
        await store.whileWriterIsBusy {
            let tasks = [
                Task { try await store.change(ChangeRequest(path, .update(EntityPayload(["Text": .string("new")])))) },
                Task { try await store.change(ChangeRequest(path, .delete)) },
            ]
            for task in tasks {
                task.cancel()
                let error = await #expect(throws: ODataError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
        }
        // Behind what was cancelled.
        try await store.pool.writeWithoutTransaction { _ in }
        #expect(try await store.entities(BoundQuery(path: path)).first?["Text"] == .string("old"))
    }
}
