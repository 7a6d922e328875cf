import Foundation
import OData
import ODataService
import ODataTesting
import Synchronization

/// A service with a function and an action, in this process.
final class FlightSite: Sendable {
    private let site: FieldSite
    private let service: ODataService
    private let flights: Flights

    /// Of the flights whose cancelling was asked for.
    private final class Flights: Sendable {
        let names = Mutex<[String]>([])
    }

    init() throws {
        let (site, flights) = (try FieldSite(), Flights())
        var operations = OperationHandlers()
        let flight = EdmOperationDeclaration.Parameter(name: "flight", type: .string)
        let seats = EdmOperationDeclaration(
            kind: .function, name: EdmQualifiedName("Field.FreeSeats"), parameters: [flight],
            result: .init(type: .int32))
        // The files stay as long as the service.
        operations.function(seats, importName: "FreeSeats") { _ in withExtendedLifetime(site) { .value(.integer(3)) } }
        let cancel = EdmOperationDeclaration(
            kind: .action, name: EdmQualifiedName("Field.CancelFlight"), parameters: [flight])
        operations.action(cancel, importName: "CancelFlight") { call in
            flights.names.withLock { $0.append(call["flight"].lexical) }
            return ActionPlan()
        }
        (self.site, self.flights) = (site, flights)
        service = ODataService(store: OperationStore(site.file, operations: operations))
    }

    var folder: String { site.folder }
    /// The flights that were cancelled.
    var cancelled: [String] { flights.names.withLock { $0 } }

    func online() throws -> OnlineStore {
        try OnlineStore(serviceRoot: "http://service.test/", transport: InProcessTransport(service: service))
    }
}
